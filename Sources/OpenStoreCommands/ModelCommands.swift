import ArgumentParser
import Foundation
import OpenStoreTool

/// The commands that describe, compare and convert models.
struct Model: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Show, compare, check and convert models.",
    discussion:
      "A model is a .mom, .momd, .xcdatamodel or .xcdatamodeld, or a store that contains a model.",
    subcommands: [
      Show.self, Difference.self, Lint.self, Hash.self, Diagram.self, Compile.self, Decompile.self,
      Codegen.self,
    ])
}

/// The options of a command that reads a model: the model and the output format.
struct ModelOptions: ParsableArguments {
  @Argument(help: "The model, or a store.", completion: .file())
  var model: String

  @OptionGroup var output: OutputOptions
}

extension Model {
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "List all properties of all entities.")

    @OptionGroup var options: ModelOptions

    func run() throws { try options.output.print(ModelReport(at: options.model).properties()) }
  }

  struct Difference: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "diff",
      abstract: "List the differences between two models (exit status 1 if there are any).")

    @Argument(help: "The earlier model.", completion: .file())
    var old: String

    @Argument(help: "The later model.", completion: .file())
    var new: String

    @Flag(
      help:
        "List only the differences that change version hashes and therefore require a migration.")
    var hashes = false

    @Flag(
      help:
        "Print the inferred mapping or, with exit status 1, the changes that prevent the inference."
    )
    var migration = false

    @Flag(
      help:
        "Print the Swift source of migration policies for the changes that prevent inference.")
    var policy = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
      if [hashes, migration, policy].filter(\.self).count > 1 {
        throw ValidationError("Use only one of --hashes, --migration and --policy.")
      }
    }

    func run() throws {
      if policy {
        guard let source = try ModelReport(at: old).policySource(to: ModelReport(at: new)) else {
          return
        }
        try print(text: source)
        throw ExitCode(ToolError.Status.findings.rawValue)
      }
      if migration {
        let (isInferred, rows) = try ModelReport(at: old).migration(to: ModelReport(at: new))
        try output.print(rows)
        if isInferred { return }
        throw ExitCode(ToolError.Status.findings.rawValue)
      }
      let rows = try ModelReport(at: old).changes(
        to: ModelReport(at: new), hashes ? .ofHashes : .all)
      try output.print(rows)
      if !rows.isEmpty { throw ExitCode(ToolError.Status.findings.rawValue) }
    }
  }

  struct Lint: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "lint",
      abstract: "Report the problems in a model (exit status 1 if there are any).")

    @OptionGroup var options: ModelOptions

    func run() throws {
      let rows = try ModelReport(at: options.model).findings()
      try options.output.print(rows)
      if !rows.isEmpty { throw ExitCode(ToolError.Status.findings.rawValue) }
    }
  }

  struct Hash: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "hash",
      abstract: "Print the version hashes, digest and checksum that a store of the model contains.")

    @OptionGroup var options: ModelOptions

    func run() throws { try options.output.print(ModelReport(at: options.model).hashes()) }
  }

  struct Diagram: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "diagram",
      abstract: "Draw a model as a Mermaid class diagram, or as SVG.")

    @Argument(help: "The model, or a store.", completion: .file())
    var model: String

    @Flag(help: "Print SVG instead of Mermaid text.")
    var svg = false

    func run() throws {
      try print(text: ModelReport(at: model).diagram(isSVG: svg))
    }
  }

  struct Compile: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "compile",
      abstract:
        "Write a model as .mom, all versions of a document as .momd, or a mapping model as .cdm.")

    @Argument(help: "The model, or a mapping model.", completion: .file())
    var model: String

    @Argument(
      help: "The file to write; its name must end in .mom, .momd or .cdm.", completion: .file())
    var result: String

    @Option(
      help: "The source model of a mapping model; by default, the model that it names.",
      completion: .file())
    var source: String?

    @Option(
      help: "The destination model of a mapping model; by default, the model that it names.",
      completion: .file())
    var destination: String?

    func validate() throws {
      if (source == nil) != (destination == nil) {
        throw ValidationError("Use --source and --destination together.")
      }
      if source != nil, !result.hasSuffix(".cdm") {
        throw ValidationError("--source and --destination are only for mapping models.")
      }
    }

    func run() throws {
      guard result.hasSuffix(".cdm") else {
        return try ModelConversion.write(model, to: result, endings: ["mom", "momd", "cdm"])
      }
      let models = source.flatMap { source in
        destination.map { (source: source, destination: $0) }
      }
      try ModelConversion.writeMapping(model, to: result, models: models)
    }
  }

  struct Decompile: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "decompile",
      abstract: "Write a compiled model, or the model in a store, as a model document.")

    @Argument(help: "The model, or a store.", completion: .file())
    var model: String

    @Argument(
      help: "The file to write; its name must end in .xcdatamodel or .xcdatamodeld.",
      completion: .file())
    var result: String

    func run() throws {
      try ModelConversion.write(model, to: result, endings: ["xcdatamodel", "xcdatamodeld"])
    }
  }

  struct Codegen: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "codegen",
      abstract: "Print the Swift classes of a model document.",
      discussion:
        "The command follows the setting \"Codegen\" of each entity. For \"Manual/None\", it prints no class.",
      aliases: ["swift"])

    @Argument(help: "An .xcdatamodeld or .xcdatamodel.", completion: .file())
    var model: String

    @Flag(
      help: "Print complete accessors. The classes then need the module OpenCoreData but no macros."
    )
    var expanded = false

    @Flag(help: "Also print the classes of entities whose setting \"Codegen\" is \"Manual/None\".")
    var allEntities = false

    func run() throws {
      try print(
        text: ModelConversion.source(
          of: model, isExpanded: expanded, includesManual: allEntities))
    }
  }
}
