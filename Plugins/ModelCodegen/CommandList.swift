import Foundation
import PackagePlugin

/// Creates the build commands of one target. Each command declares all its inputs and outputs, and so
/// runs only after a change.
struct CommandList {
  let tool: URL
  let target: any Target
  /// The output folder of the commands.
  let folder: URL

  /// Writes the classes of a model.
  ///
  /// - Parameters:
  ///   - sources: The sources to rewrite, whose extensions may declare members of the classes.
  ///   - surroundings: What the sources may refer to.
  func model(
    _ item: TargetContents.Item, _ configuration: Configuration,
    extendedBy sources: [TargetContents.Item], in surroundings: Surroundings
  ) -> Command {
    let output = folder.appendingPathComponent(name(of: item.relativePath) + ".swift")
    let options =
      (configuration.allEntities == true ? ["--all"] : [])
      + (configuration.expanded == true ? ["--expanded"] : [])
    // Without such sources, no class gets more members.
    let context =
      sources.isEmpty ? (arguments: [], inputs: []) : context(surroundings, besides: item)
    return .buildCommand(
      displayName: "Generating classes for \(item.url.lastPathComponent)", executable: tool,
      arguments: ["model", item.url.path, "--output", output.path] + options
        + sources.flatMap { ["--source", $0.url.path] } + context.arguments,
      inputFiles: documents(of: item.url) + sources.map(\.url) + context.inputs,
      outputFiles: [output])
  }

  /// The options that name what sources may refer to, and the files behind these options.
  ///
  /// - Parameter model: A model that is left out, because the command writes its classes.
  private func context(
    _ surroundings: Surroundings, besides model: TargetContents.Item? = nil
  ) -> (arguments: [String], inputs: [URL]) {
    let models = surroundings.models.filter { $0.item.url != model?.url }
    let options = models.flatMap { model in
      [
        (model.isOwn ? "--own-" : "--")
          + (model.configuration.allEntities == true ? "whole-model" : "model"),
        model.item.url.path,
      ]
    }
    return (
      surroundings.sources.flatMap { ["--context", $0.path] } + options
        + surroundings.modules.sorted().flatMap { ["--module", $0] },
      surroundings.sources + models.flatMap { documents(of: $0.item.url) }
    )
  }

  /// Writes the compiled form of a model, which becomes a resource of the target.
  func resource(_ item: TargetContents.Item) -> Command {
    let output = folder.appendingPathComponent(item.resourceName)
    return .buildCommand(
      displayName: "Compiling \(item.url.lastPathComponent)", executable: tool,
      arguments: ["compile", item.url.path, "--output", output.path],
      inputFiles: documents(of: item.url), outputFiles: [output])
  }

  /// Writes the compiled form of a mapping model, which becomes a resource of the target.
  ///
  /// - Parameter models: The target's models, among which the mapping model finds its own.
  func mapping(_ item: TargetContents.Item, for models: [TargetContents.Item]) -> Command {
    let output = folder.appendingPathComponent(item.resourceName)
    return .buildCommand(
      displayName: "Compiling \(item.url.lastPathComponent)", executable: tool,
      arguments: ["compile", item.url.path, "--output", output.path],
      inputFiles: [item.url.appendingPathComponent("xcmapping.xml")]
        + models.flatMap { documents(of: $0.url) }, outputFiles: [output])
  }

  /// Rewrites the sources of a target, in one command: one file may tell what another one's class is.
  ///
  /// - Parameter surroundings: What the sources may refer to.
  func rewrite(
    _ items: [TargetContents.Item], in surroundings: Surroundings
  ) throws -> [Command] {
    if items.isEmpty { return [] }
    let outputs = items.map { folder.appendingPathComponent(name(of: $0.relativePath)) }
    guard Set(outputs).count == outputs.count else {
      throw ConfigurationError(
        description:
          "Two sources of the target \(target.name) would be written to the same file. Rename one of them, or list it only once."
      )
    }
    let arguments = zip(items, outputs).flatMap { [$0.url.path, "--output", $1.path] }
    let context = context(surroundings)
    return [
      .buildCommand(
        displayName: "Rewriting sources of \(target.name)", executable: tool,
        arguments: ["rewrite"] + arguments + context.arguments,
        inputFiles: items.map(\.url) + context.inputs, outputFiles: outputs)
    ]
  }

  /// A file name that no other file of the module has: the path, without folders. The compiler accepts
  /// statements at the top level only in a file named `main.swift`, which keeps its name.
  private func name(of path: String) -> String {
    if path.split(separator: "/").last == "main.swift" { return "main.swift" }
    return path.replacingOccurrences(of: "../", with: "").replacingOccurrences(of: "/", with: "--")
  }

  /// The files that a model's classes depend on.
  private func documents(of model: URL) -> [URL] {
    let files = FileManager.default
    // A folder that cannot be listed has no versions; the command then says what is wrong.
    let versions = ((try? files.contentsOfDirectory(atPath: model.path)) ?? [])
      .filter { $0.hasSuffix(".xcdatamodel") }.sorted()
      .map { model.appendingPathComponent($0).appendingPathComponent("contents") }
    let candidates =
      [model.appendingPathComponent("contents"), model.appendingPathComponent(".xccurrentversion")]
      + versions
    return candidates.filter { files.fileExists(atPath: $0.path) }
  }
}
