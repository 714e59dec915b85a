/// A table with aligned columns.
///
/// One printer uses the table. The widths of the columns are computed from the rows that are
/// printed together; later rows may widen a column.
struct TableText {
  private struct Cell {
    var text: String
    /// The number of columns of the terminal that the text occupies.
    var width: Int
  }

  /// The maximum number of terminal columns in a line; nil for no limit.
  private let lineWidth: Int?
  private var waiting: [[Cell]] = []
  private var widths: [Int] = []
  /// Narrowest width of each column: that of its title, and of ids, which are never cut.
  private var leastWidths: [Int] = []
  private static let gap = "  "

  init(width: Int?) { lineWidth = width }

  /// The number of rows that are not written yet.
  var waitingCount: Int { waiting.count }

  /// Adds a row. The first row contains the titles of the columns.
  mutating func add(_ texts: [String]) {
    let isTitle = leastWidths.isEmpty
    waiting.append(texts.map { Self.cell($0) })
    for (column, text) in texts.enumerated() {
      let width = waiting[waiting.count - 1][column].width
      if column >= leastWidths.count { leastWidths.append(0) }
      if lineWidth != nil, isTitle || Self.isID(text) {
        leastWidths[column] = max(leastWidths[column], width)
      }
    }
  }

  /// Returns the text of the rows that are not written yet, and removes these rows.
  mutating func flush() -> String {
    let limit = widestCell()
    var text = ""
    for row in waiting {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], min(cell.width, max(limit, leastWidths[column])))
      }
    }
    for row in waiting { text += line(row) }
    waiting.removeAll(keepingCapacity: true)
    return text
  }

  private func line(_ row: [Cell]) -> String {
    var line = ""
    var missing = 0
    for (column, cell) in row.enumerated() {
      // Blanks are written before a cell, so that no line ends with them.
      if column > 0 { missing += Self.gap.count }
      let cell = cell.width > widths[column] ? Self.cut(cell, to: widths[column]) : cell
      if cell.width > 0 {
        line += String(repeating: " ", count: missing)
        line += cell.text
        missing = 0
      }
      missing += widths[column] - cell.width
    }
    while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
    return line + "\n"
  }

  /// The greatest width of a cell with which the waiting rows fit into the line.
  private func widestCell() -> Int {
    guard let lineWidth else { return .max }
    let natural = leastWidths.indices.map { column in
      waiting.reduce(widths.indices.contains(column) ? widths[column] : 0) {
        max($0, $1[column].width)
      }
    }
    let room = lineWidth - Self.gap.count * max(0, natural.count - 1)
    func needed(_ limit: Int) -> Int {
      zip(natural, leastWidths).reduce(0) { $0 + min($1.0, max(limit, $1.1)) }
    }
    let widest = natural.max() ?? 0
    if needed(widest) <= room { return widest }
    // Where even the narrowest columns do not fit, lines are longer than the terminal's.
    var (fitting, tooWide) = (1, widest)
    while tooWide - fitting > 1 {
      let middle = (fitting + tooWide) / 2
      if needed(middle) <= room { fitting = middle } else { tooWide = middle }
    }
    return fitting
  }

  private static func isID(_ text: String) -> Bool { text.utf8.starts(with: "x-coredata://".utf8) }

  /// A text without control characters.
  private static func cell(_ text: String) -> Cell {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
      return Cell(text: text, width: text.utf8.count)
    }
    let plain = text.withoutControlCharacters(except: nil)
    return Cell(text: plain, width: plain.reduce(0) { $0 + $1.columnCount })
  }

  private static func cut(_ cell: Cell, to width: Int) -> Cell {
    var used = 0
    let beginning = cell.text.prefix { character in
      used += character.columnCount
      return used < width
    }
    let kept = beginning.reduce(0) { $0 + $1.columnCount }
    return Cell(text: beginning + "…", width: kept + 1)
  }
}
