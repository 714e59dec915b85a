import ArgumentParser
import Foundation
import OpenStoreTool

extension OutputFormat: ExpressibleByArgument {}

/// What every command that opens a store takes.
struct StoreOptions: ParsableArguments {
  @Argument(help: "The store's file, or a folder that holds one.", completion: .file())
  var store: String

  @Option(help: "A model to read the store by: .mom, .momd, .xcdatamodeld, or another store.")
  var model: String?

  @OptionGroup var output: OutputOptions

  func open() throws -> OpenedStore { try OpenedStore(at: store, modelPath: model) }
}

/// How rows are printed.
struct OutputOptions: ParsableArguments {
  @Option(help: "table, json, ndjson or csv.")
  var format: OutputFormat = .table

  /// Prints rows to the standard output.
  func print(_ rows: ((_ row: ([OutputValue.Field]) -> Void) throws -> Void)) rethrows {
    var printer = RowPrinter(format, write: Output.write)
    try rows { printer.print($0) }
    printer.finish()
    Output.flush()
  }
}

/// The standard output, written in pieces of some size.
enum Output {
  nonisolated(unsafe) private static var buffer = ""  // used by the one thread of a command

  static func write(_ text: String) {
    buffer += text
    if buffer.utf8.count > 64 << 10 { flush() }
  }

  static func flush() {
    // A reader that went away ends the command with the signal that the system sends.
    FileHandle.standardOutput.write(Data(buffer.utf8))
    buffer = ""
  }
}
