import Foundation
import PackagePlugin

/// Writes the classes of a target's models, compiles models and mapping models into its resources, and rewrites sources of the target
/// that were written for Apple's Core Data, each time the target is built and one of them has changed.
///
/// See `Docs/ModelCodegen.md`.
@main struct ModelCodegen: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let configuration = try Configuration.read(in: target.directoryURL)
    let contents = try TargetContents(folder: target.directoryURL, configuration: configuration)
    try contents.checkExcluded(from: target, configuration)
    let surroundings = try Surroundings(
      of: target, contents: contents, configuration: configuration)
    let tool = try context.tool(named: "opencoredata-codegen").url
    let commands = CommandList(
      tool: tool, target: target, folder: context.pluginWorkDirectoryURL)
    if contents.models.isEmpty, contents.sources.isEmpty, contents.mappings.isEmpty {
      Diagnostics.warning(
        "The target \(target.name) contains no models, mapping models or sources to rewrite. "
          + "Add them to the target, or specify their paths in \(Configuration.fileName).")
    }
    let models = contents.models.map {
      commands.model($0, configuration, extendedBy: contents.sources, in: surroundings)
    }
    let resources = contents.resources.map(commands.resource)
    let mappings = contents.mappings.map { commands.mapping($0, for: contents.models) }
    return try models + resources + mappings + commands.rewrite(contents.sources, in: surroundings)
  }
}
