import ArgumentParser
import OpenStoreTool

extension Model {
  /// A compiled model.
  struct Compile: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write a model as .mom or .momd, as Xcode does when it builds.")

    @OptionGroup var paths: ConversionPaths

    func run() throws {
      try ModelConversion.write(
        OpenedStore.model(at: paths.model), as: .compiled, to: paths.output)
    }
  }

  /// A document.
  struct Decompile: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write a model as .xcdatamodel or .xcdatamodeld, which Xcode opens.")

    @OptionGroup var paths: ConversionPaths

    func run() throws {
      try ModelConversion.write(
        OpenedStore.model(at: paths.model), as: .document, to: paths.output)
    }
  }

  /// Swift classes.
  struct Codegen: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the Swift classes of a model.")

    @Argument(help: "A model, or a store that keeps one.", completion: .file())
    var model: String

    @Flag(help: "Write classes also for entities whose code generation is off.")
    var all = false

    func run() throws {
      Output.write(
        try ModelConversion.source(ofModelAt: model, includesAll: all))
      Output.flush()
    }
  }
}

/// From where to where.
struct ConversionPaths: ParsableArguments {
  @Argument(help: "A model, or a store that keeps one.", completion: .file())
  var model: String

  @Argument(help: "What to write; there must be nothing yet.", completion: .file())
  var output: String
}
