/// How rows are printed.
package enum OutputFormat: String, CaseIterable, Sendable {
  /// Columns for people.
  case table
  /// One array.
  case json
  /// One object a line; begins at once, however many rows there are.
  case ndjson
  case csv
}

/// Prints rows in one of the formats, as they come.
///
/// Confined to one command. Tables wait for some rows, so that columns fit; the other formats never hold
/// more than one.
package struct RowPrinter {
  private let format: OutputFormat
  private let write: (String) -> Void
  private var columns: [String]?
  private var waiting: [[String]] = []
  private var widths: [Int] = []
  private var count = 0
  private static let tableWindow = 200
  private static let widestCell = 60

  package init(_ format: OutputFormat, write: @escaping (String) -> Void) {
    self.format = format
    self.write = write
  }

  /// Prints one row; all rows of a table have the columns of the first.
  package mutating func print(_ fields: [OutputValue.Field]) {
    switch format {
    case .json: write((count == 0 ? "[\n" : ",\n") + OutputValue.object(fields).json)
    case .ndjson: write(OutputValue.object(fields).json + "\n")
    case .csv, .table: printColumns(fields)
    }
    count += 1
  }

  /// Ends the output.
  package mutating func finish() {
    switch format {
    case .json: write(count == 0 ? "[]\n" : "\n]\n")
    case .table: flush()
    case .ndjson, .csv: break
    }
  }

  private mutating func printColumns(_ fields: [OutputValue.Field]) {
    let names = columns ?? fields.map(\.key)
    let values = Dictionary(fields.map { ($0.key, $0.value) }) { first, _ in first }
    let cells = names.map { values[$0]?.cell ?? "" }
    if format == .csv {
      if columns == nil { write(Self.line(of: names)) }
      columns = names
      write(Self.line(of: cells))
      return
    }
    if columns == nil { waiting.append(names) }
    columns = names
    waiting.append(cells.map(Self.shortened))
    if waiting.count >= Self.tableWindow { flush() }
  }

  private mutating func flush() {
    for row in waiting {
      for (column, cell) in row.enumerated() {
        if column < widths.count {
          widths[column] = max(widths[column], cell.count)
        } else {
          widths.append(cell.count)
        }
      }
    }
    for row in waiting {
      let cells = zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: max(0, width - cell.count))
      }
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      write(line + "\n")
    }
    waiting.removeAll()
  }

  /// Control characters would move the cursor of a terminal.
  private static func shortened(_ text: String) -> String {
    let plain = String(
      String.UnicodeScalarView(
        text.unicodeScalars.prefix(widestCell + 1).map { scalar in
          scalar.properties.generalCategory == .control ? "·" : scalar
        }))
    return plain.count > widestCell ? plain.prefix(widestCell - 1) + "…" : plain
  }

  private static func line(of cells: [String]) -> String {
    cells.map { cell in
      let isPlain = !cell.unicodeScalars.contains { "\",\n\r".unicodeScalars.contains($0) }
      return isPlain ? cell : "\"" + cell.replacing("\"", with: "\"\"") + "\""
    }.joined(separator: ",") + "\r\n"
  }
}
