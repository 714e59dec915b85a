import Foundation

/// A table as comma-separated text, as described by RFC 4180.
///
/// A field with a comma, a quote or a line break is quoted. Values are written unchanged, including those that start with `=`, `+`, `-` or
/// `@`: a program that evaluates such values would do so with any data.
public struct CSVTable: Sendable, Hashable {
  /// The rows; the first row contains the column names.
  public var rows: [[String]]

  /// Creates a table.
  public init(rows: [[String]]) { self.rows = rows }

  /// Parses a table.
  ///
  /// - Throws: `KanoraError` with code `.badFile` if a quotation is not closed, or text follows one.
  public init(_ text: String) throws {
    var reader = Reader(scalars: Array(text.unicodeScalars))
    rows = try reader.rows()
  }

  /// The table as text, with CRLF line endings.
  public var text: String {
    rows.map { row in
      // A row with one empty field would be written as an empty line, which readers skip.
      row == [""] ? "\"\"\r\n" : row.map(Self.field).joined(separator: ",") + "\r\n"
    }.joined()
  }

  private static func field(_ value: String) -> String {
    let needsQuotes = value.unicodeScalars.contains {
      ",\"\r\n\u{FEFF}".unicodeScalars.contains($0)
    }
    guard needsQuotes else { return value }
    var quoted = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in value.unicodeScalars {
      if scalar == "\"" { quoted.append("\"") }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }

  private struct Reader {
    let scalars: [Unicode.Scalar]
    var position = 0
    var line = 1

    mutating func rows() throws -> [[String]] {
      if scalars.first == "\u{FEFF}" { position = 1 }
      var rows: [[String]] = []
      while position < scalars.count {
        if skipLineEnd() { continue }
        rows.append(try row())
      }
      return rows
    }

    private mutating func row() throws -> [String] {
      var row: [String] = []
      while true {
        row.append(try field())
        if position < scalars.count, scalars[position] == "," {
          position += 1
        } else {
          _ = skipLineEnd()
          return row
        }
      }
    }

    private mutating func field() throws -> String {
      var value = String.UnicodeScalarView()
      guard position < scalars.count, scalars[position] == "\"" else {
        while position < scalars.count, ![",", "\r", "\n"].contains(scalars[position]) {
          value.append(scalars[position])
          position += 1
        }
        return String(value)
      }
      let start = line
      position += 1
      while position < scalars.count {
        let scalar = scalars[position]
        position += 1
        if scalar == "\n" { line += 1 }
        guard scalar == "\"" else {
          value.append(scalar)
          continue
        }
        if position < scalars.count, scalars[position] == "\"" {
          value.append(scalar)
          position += 1
          continue
        }
        guard position == scalars.count || [",", "\r", "\n"].contains(scalars[position]) else {
          throw KanoraError(.badFile, "Line \(line) contains text after a quoted field.")
        }
        return String(value)
      }
      throw KanoraError(.badFile, "The quoted field that begins on line \(start) is not closed.")
    }

    private mutating func skipLineEnd() -> Bool {
      guard position < scalars.count, scalars[position] == "\r" || scalars[position] == "\n" else {
        return false
      }
      if scalars[position] == "\r", position + 1 < scalars.count, scalars[position + 1] == "\n" {
        position += 1
      }
      position += 1
      line += 1
      return true
    }
  }
}
