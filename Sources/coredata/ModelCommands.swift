import ArgumentParser
import Foundation
import OpenStoreTool

/// Models: what they say, and other forms of them.
struct Model: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show, compare, check and convert models.",
    discussion:
      "A model is a .mom, .momd, .xcdatamodel or .xcdatamodeld, or the one that a store keeps.",
    subcommands: [
      Show.self, Difference.self, Lint.self, Hash.self, Diagram.self, Compile.self, Decompile.self,
      Codegen.self,
    ])
}

/// A model and a format.
struct ModelOptions: ParsableArguments {
  @Argument(help: "The model, or a store.", completion: .file())
  var model: String

  @OptionGroup var output: OutputOptions
}

extension Model {
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List all properties of all entities.")

    @OptionGroup var options: ModelOptions

    func run() throws { try options.output.print(ModelReport(at: options.model).properties()) }
  }

  struct Difference: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "diff",
      abstract: "Name what changed between two models; status 1 when anything did.")

    @Argument(help: "The earlier model.", completion: .file())
    var old: String

    @Argument(help: "The later model.", completion: .file())
    var new: String

    @Flag(help: "Name only what changes version hashes, and so needs a migration.")
    var hashes = false

    @OptionGroup var output: OutputOptions

    func run() throws {
      let rows = try ModelReport(at: old).changes(
        to: ModelReport(at: new), hashes ? .ofHashes : .all)
      try output.print(rows)
      if !rows.isEmpty { throw ExitCode(ToolError.Status.findings.rawValue) }
    }
  }

  struct Lint: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Find flaws of a model; status 1 when there are any.")

    @OptionGroup var options: ModelOptions

    func run() throws {
      let rows = try ModelReport(at: options.model).findings()
      try options.output.print(rows)
      if !rows.isEmpty { throw ExitCode(ToolError.Status.findings.rawValue) }
    }
  }

  struct Hash: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print version hashes, digest and checksum, as stores hold them.")

    @OptionGroup var options: ModelOptions

    func run() throws { try options.output.print(ModelReport(at: options.model).hashes()) }
  }

  struct Diagram: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Draw a model as a Mermaid class diagram, or as SVG.")

    @Argument(help: "The model, or a store.", completion: .file())
    var model: String

    @Flag(help: "Draw SVG instead of Mermaid text.")
    var svg = false

    func run() throws {
      try print(text: ModelReport(at: model).diagram(isSVG: svg))
    }
  }

  struct Compile: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write a model as .mom, or all versions of a document as .momd.")

    @Argument(help: "The model.", completion: .file())
    var model: String

    @Argument(help: "What to make: a name that ends in .mom or .momd.", completion: .file())
    var result: String

    func run() throws { try ModelConversion.write(model, to: result, endings: ["mom", "momd"]) }
  }

  struct Decompile: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write a compiled model, or the one in a store, as a document.")

    @Argument(help: "The model, or a store.", completion: .file())
    var model: String

    @Argument(
      help: "What to make: a name that ends in .xcdatamodel or .xcdatamodeld.",
      completion: .file())
    var result: String

    func run() throws {
      try ModelConversion.write(model, to: result, endings: ["xcdatamodel", "xcdatamodeld"])
    }
  }

  struct Codegen: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the Swift classes of a model document.")

    @Argument(help: "An .xcdatamodeld or .xcdatamodel.", completion: .file())
    var model: String

    func run() throws {
      try print(text: ModelConversion.source(of: model))
    }
  }
}
