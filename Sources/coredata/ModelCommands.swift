import ArgumentParser
import OpenStoreTool

/// Models: what they say, and other forms of them.
struct Model: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show, compare, check and convert models.",
    discussion: "A model is a .xcdatamodeld, .xcdatamodel, .momd or .mom, or a store that keeps one.",
    subcommands: [
      Show.self, Difference.self, Lint.self, Hash.self, Diagram.self, Compile.self,
      Decompile.self, Codegen.self,
    ])
}

/// Which model, and how to print it.
struct ModelOptions: ParsableArguments {
  @Argument(help: "A model, or a store that keeps one.", completion: .file())
  var model: String

  @OptionGroup var output: OutputOptions

  func report() throws -> ModelReport { ModelReport(try OpenedStore.model(at: model)) }
}

extension Model {
  /// The properties of a model.
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the properties of all entities, where they are declared.")

    @OptionGroup var options: ModelOptions

    func run() throws {
      let rows = try options.report().properties()
      options.output.print { print in rows.forEach(print) }
    }
  }

  /// What changed between two models.
  struct Difference: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "diff", abstract: "Show what changed; status 1 when something did.")

    @Argument(help: "The older model.", completion: .file())
    var old: String

    @Argument(help: "The newer model.", completion: .file())
    var new: String

    @OptionGroup var output: OutputOptions

    func run() throws {
      let older = try OpenedStore.model(at: old)
      let rows = ModelReport(try OpenedStore.model(at: new)).changes(since: older)
      output.print { print in rows.forEach(print) }
      if !rows.isEmpty { throw ExitCode(ToolError.Status.findings.rawValue) }
    }
  }

  /// What is wrong with a model.
  struct Lint: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Look for mistakes; status 1 when there are any.")

    @OptionGroup var options: ModelOptions

    func run() throws {
      let rows = try options.report().flaws()
      options.output.print { print in rows.forEach(print) }
      if !rows.isEmpty { throw ExitCode(ToolError.Status.findings.rawValue) }
    }
  }

  /// The version hashes of a model.
  struct Hash: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the version hash of each entity, or the checksum of the model.")

    @OptionGroup var options: ModelOptions

    @Flag(help: "Print the checksum of the whole model only.")
    var checksum = false

    func run() throws {
      let report = try options.report()
      if checksum { return print(report.checksum) }
      let rows = report.hashes()
      options.output.print { print in rows.forEach(print) }
    }
  }

  /// A picture of a model.
  struct Diagram: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Draw the entities and their relationships, for Mermaid or as SVG.")

    @Argument(help: "A model, or a store that keeps one.", completion: .file())
    var model: String

    @Flag(help: "Draw SVG instead of Mermaid.")
    var svg = false

    func run() throws {
      let report = ModelReport(try OpenedStore.model(at: model))
      let text = svg ? report.svg : report.mermaid
      Output.write(text.hasSuffix("\n") ? text : text + "\n")
      Output.flush()
    }
  }
}
