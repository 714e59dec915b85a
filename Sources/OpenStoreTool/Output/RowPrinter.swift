import OpenPredicates

/// A printer that prints the rows of one command in an ``OutputFormat``.
///
/// If the columns are given, the printer collects 200 rows of a table at a time, to determine the
/// widths of the columns. If no columns are given, the printer collects all rows of a table or of
/// CSV output, because any row may add columns. In all other cases, the printer prints each row
/// immediately.
package struct RowPrinter {
  private let format: OutputFormat
  private let write: (String) -> Void
  private let columns: [String]?
  private var table: TableText
  private var waiting: [[OutputValue.Field]] = []
  private var count = 0
  private static let tableWindow = 200

  /// Creates a printer.
  ///
  /// - Parameters:
  ///   - format: The output format.
  ///   - columns: The columns of a table or of CSV output, in order; nil to use the columns of all
  ///     rows.
  ///   - width: The maximum number of terminal columns in a line of a table; nil for no limit. The
  ///     printer shortens long values, but not column titles and object URIs.
  ///   - write: A closure that receives the text to print.
  package init(
    _ format: OutputFormat, columns: [String]? = nil, width: Int? = nil,
    write: @escaping (String) -> Void
  ) {
    self.format = format
    self.columns = columns
    self.write = write
    table = TableText(width: width)
  }

  /// Prints one row.
  package mutating func print(_ fields: [OutputValue.Field]) {
    switch format {
    case .json: write((count == 0 ? "[\n" : ",\n") + OutputValue.object(fields).json)
    case .ndjson: write(OutputValue.object(fields).json + "\n")
    case .csv, .table:
      if let columns { print(fields, columns) } else { waiting.append(fields) }
    }
    count += 1
  }

  /// Prints the remaining rows and the end of the output.
  package mutating func finish() {
    switch format {
    case .json: write(count == 0 ? "[]\n" : "\n]\n")
    case .ndjson: break
    case .csv, .table:
      if columns == nil { printWaiting() }
      if format == .table { write(table.flush()) }
    }
  }

  private mutating func printWaiting() {
    var names: [String] = []
    var known: Set<String> = []
    for field in waiting.joined() where known.insert(field.key).inserted { names.append(field.key) }
    count = 0
    for fields in waiting {
      print(fields, names)
      count += 1
    }
    waiting = []
  }

  private mutating func print(_ fields: [OutputValue.Field], _ names: [String]) {
    if count == 0 { add(names) }
    add(Self.cells(of: fields, names))
  }

  private mutating func add(_ cells: [String]) {
    if format == .csv { return write(Self.line(of: cells)) }
    table.add(cells)
    if table.waitingCount >= Self.tableWindow { write(table.flush()) }
  }

  /// Returns the text for each column; empty if the row has no value for the column.
  private static func cells(of fields: [OutputValue.Field], _ names: [String]) -> [String] {
    if fields.count == names.count, zip(fields, names).allSatisfy({ $0.key == $1 }) {
      return fields.map(\.value.cell)
    }
    let values = Dictionary(fields.map { ($0.key, $0.value) }) { first, _ in first }
    return names.map { values[$0]?.cell ?? "" }
  }

  private static func line(of cells: [String]) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() {
      if index > 0 { line += "," }
      let isPlain = !cell.utf8.contains { byte in
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 10 || byte == 13
      }
      line += isPlain ? cell : "\"" + cell.doubling("\"") + "\""
    }
    return line + "\r\n"
  }
}
