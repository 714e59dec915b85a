/// A list in a terminal: its rows, the selected row, and the visible lines.
///
/// The selected row stays selected, and stays on its line, while rows are inserted, moved and removed.
///
/// A value.
public struct ListState: Sendable {
  /// The heading at the top.
  public var title: String
  /// The line at the bottom.
  public var status = ""
  /// The text shown if there are no rows.
  public var emptyText: String
  /// The rows in order.
  public private(set) var rows: [TerminalRow] = []
  /// The index of the selected row, or nil if no row can be selected.
  public private(set) var selection: Int?
  /// The first visible line of the list.
  private var top = 0
  /// The selected row as last drawn.
  private var drawn: Drawn?
  private struct Drawn {
    let id: String
    /// The lines of the row within the list.
    let lines: ClosedRange<Int>
    /// The window line of the row's first line.
    let windowLine: Int
    /// The number of lines available for rows.
    let room: Int
  }

  /// Creates a list without rows.
  public init(title: String, emptyText: String) {
    self.title = title
    self.emptyText = emptyText
  }

  /// The selected row.
  public var selectedRow: TerminalRow? { selection.map { rows[$0] } }

  /// Replaces the rows. The selected row stays selected if it still exists; otherwise the row at its index is selected.
  public mutating func setRows(_ new: [TerminalRow]) {
    let id = selectedRow?.id
    let place = selection ?? 0
    rows = new
    selection = new.firstIndex { $0.id == id } ?? nearest(to: min(place, new.count - 1), by: 1)
  }

  /// Selects another row, skipping headings. A row taller than the window is scrolled first.
  ///
  /// - Parameter step: The number of rows to move down; negative values move up.
  public mutating func move(by step: Int) {
    guard let selection else { return }
    if abs(step) == 1, let drawn, drawn.id == rows[selection].id {
      let (first, last) = (drawn.lines.lowerBound, drawn.lines.upperBound)
      if step > 0 ? last >= top + drawn.room : first < top {
        top += step * max(1, drawn.room - 1)
        return
      }
    }
    let target = min(max(0, selection + step), rows.count - 1)
    self.selection = nearest(to: target, by: step < 0 ? -1 : 1) ?? selection
  }

  /// Returns the nearest selectable row at an index or after it in the step's direction, or otherwise one before it.
  private func nearest(to place: Int, by step: Int) -> Int? {
    guard rows.indices.contains(place) else { return nil }
    let ahead = sequence(first: place) { $0 + step }.prefix { rows.indices.contains($0) }
    let back = sequence(first: place) { $0 - step }.prefix { rows.indices.contains($0) }
    return (Array(ahead) + Array(back)).first { rows[$0].style != .heading }
  }

  // MARK: Drawing

  /// A line of the window.
  public struct Line: Sendable, Equatable {
    /// The text, padded or cut to the width of the window.
    public let text: String
    /// The style of the line.
    public let style: TerminalRow.Style
    /// Whether the line belongs to the selected row.
    public let isSelected: Bool
  }

  /// Returns the lines of a window: heading, rows, status.
  ///
  /// - Parameters:
  ///   - width: The number of columns.
  ///   - height: The number of lines.
  public mutating func lines(width: Int, height: Int) -> [Line] {
    var all: [(row: Int, line: Line)] = []
    for (place, row) in rows.enumerated() {
      for text in Self.texts(of: row, width) {
        all.append((place, Line(text: text, style: row.style, isSelected: place == selection)))
      }
    }
    let room = max(1, height - 2)
    keepSelectionSeen(all.map(\.row), room)
    var lines = [Line(text: CellText.fitted(title, to: width), style: .heading, isSelected: false)]
    if all.isEmpty {
      lines.append(
        Line(text: CellText.fitted(emptyText, to: width), style: .muted, isSelected: false))
    }
    lines += all.dropFirst(top).prefix(room).map(\.line)
    let blank = Line(text: CellText.fitted("", to: width), style: .plain, isSelected: false)
    lines += Array(repeating: blank, count: max(0, room + 1 - lines.count))
    lines.append(Line(text: CellText.fitted(status, to: width), style: .muted, isSelected: false))
    return Array(lines.prefix(max(1, height)))
  }

  /// Scrolls so that the selected row stays on its line as long as it remains visible there.
  private mutating func keepSelectionSeen(_ owners: [Int], _ room: Int) {
    guard let selection, let first = owners.firstIndex(of: selection),
      let last = owners.lastIndex(of: selection)
    else {
      (top, drawn) = (0, nil)
      return
    }
    let id = rows[selection].id
    // If rows above it were inserted or removed, the selected row stays on its line.
    if let drawn, drawn.id == id, drawn.lines.lowerBound != first { top = first - drawn.windowLine }
    top =
      last - first < room
      ? max(min(top, first), last - room + 1) : min(max(top, first), last - room + 1)
    top = min(max(0, top), max(0, owners.count - room))
    drawn = Drawn(id: id, lines: first...last, windowLine: first - top, room: room)
  }

  /// The number of columns that a long detail leaves to the text of its row.
  private static let leastText = 12

  private static func texts(of row: TerminalRow, _ width: Int) -> [String] {
    let indent = row.style == .heading ? "" : " "
    let whole = row.detail.isEmpty ? "" : " \(row.detail) "
    let detail = CellText.fitted(whole, to: min(CellText.width(of: whole), width - leastText))
    let room = max(1, width - CellText.width(of: detail) - indent.count)
    let texts =
      row.wraps
      ? CellText.wrapped(row.text, to: max(2, width - indent.count - 1))
      : row.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        .map(String.init)
    return texts.enumerated().map { number, text in
      number == 0 && !row.detail.isEmpty
        ? CellText.fitted(indent + CellText.fitted(text, to: room) + detail, to: width)
        : CellText.fitted(indent + text, to: width)
    }
  }
}
