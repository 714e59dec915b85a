import ArgumentParser
import OpenStoreTool

extension OutputFormat: ExpressibleByArgument {}

/// The options of every command that opens a store.
struct StoreOptions: ParsableArguments {
  @Argument(help: "The store file, or a folder that contains one.", completion: .file())
  var store: String

  @Option(
    help: "The model to read the store with: a .mom, .momd or .xcdatamodeld, or another store.")
  var model: String?

  @OptionGroup var output: OutputOptions

  func open() throws -> InspectedStore { try InspectedStore(at: store, modelPath: model) }
}

/// The options for printing rows.
struct OutputOptions: ParsableArguments {
  @Option(help: "The output format: table, json, ndjson or csv.")
  var format: OutputFormat = .table

  @Flag(help: "Do not truncate values in tables to the width of the terminal.")
  var full = false

  /// Prints each row to the standard output as soon as the row is available.
  ///
  /// - Parameters:
  ///   - columns: The columns of tables and CSV; nil for the columns of all rows, which keeps the
  ///     rows in memory until the last row.
  ///   - rows: A closure that passes each row to its argument.
  func print(
    columns: [String]? = nil,
    _ rows: ((_ row: ([OutputValue.Field]) throws -> Void) throws -> Void)
  ) throws {
    var printer = RowPrinter(
      format, columns: columns, width: full ? nil : Output.terminalWidth, write: Output.write)
    try rows { row in
      printer.print(row)
      try Output.check()
    }
    printer.finish()
    try Output.flush()
  }

  /// Prints rows to the standard output.
  func print(_ rows: [[OutputValue.Field]]) throws {
    try print { print in for row in rows { try print(row) } }
  }
}

/// Prints a text to the standard output.
func print(text: String) throws {
  Output.write(text)
  try Output.flush()
}
