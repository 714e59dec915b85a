/// Places the boxes of a diagram in columns, with connected boxes in neighboring columns.
struct DiagramLayout {
  /// The frame of a box, in units of the picture.
  struct Frame {
    var x = 0
    var y = 0
    var width = 0
    var height = 0

    /// Returns the height at which a line meets a member, or the name of the box.
    func line(at row: Int?) -> Int {
      row.map { y + 34 + $0 * DiagramLayout.lineHeight } ?? y + 11
    }
  }

  private(set) var frames: [Frame]
  private(set) var width = 0
  private(set) var height = 0

  static let lineHeight = 16
  static let characterWidth = 7
  static let margin = 24
  private static let gap = 28
  private static let columnGap = 150
  /// The maximum height of a column; boxes that do not fit continue in the next column.
  private static let columnHeight = 1600

  init(_ diagram: ModelDiagram) {
    frames = diagram.boxes.map(Self.size)
    var x = Self.margin
    for column in Self.columns(diagram) {
      var y = Self.margin
      var columnWidth = 0
      for box in column {
        if y > Self.margin, y + frames[box].height > Self.columnHeight {
          x += columnWidth + Self.columnGap
          (y, columnWidth) = (Self.margin, 0)
        }
        (frames[box].x, frames[box].y) = (x, y)
        y += frames[box].height + Self.gap
        columnWidth = max(columnWidth, frames[box].width)
        height = max(height, y)
      }
      x += columnWidth + Self.columnGap
    }
    width = max(Self.margin * 2, x - Self.columnGap + Self.margin)
    height = max(height, Self.margin * 2)
  }

  private static func size(_ box: ModelDiagram.Box) -> Frame {
    let texts = [box.name.count + 2] + box.members.map { $0.name.count + $0.type.count + 3 }
    let characters = max(14, texts.max() ?? 0)
    return Frame(
      width: characters * characterWidth + 16, height: (box.members.count + 1) * lineHeight + 22)
  }

  /// Returns connected boxes in columns by their distance from the box with most lines.
  private static func columns(_ diagram: ModelDiagram) -> [[Int]] {
    var neighbours = [Set<Int>](repeating: [], count: diagram.boxes.count)
    let pairs =
      diagram.links.map { ($0.source, $0.destination) }
      + diagram.parents.map { ($0.parent, $0.child) }
    for (one, other) in pairs where one != other {
      neighbours[one].insert(other)
      neighbours[other].insert(one)
    }
    var columns: [[Int]] = []
    var isPlaced = [Bool](repeating: false, count: diagram.boxes.count)
    let order = diagram.boxes.indices.sorted {
      (neighbours[$1].count, $0) < (neighbours[$0].count, $1)
    }
    var lonely: [Int] = []
    for start in order where !isPlaced[start] {
      guard !neighbours[start].isEmpty else {
        lonely.append(start)
        continue
      }
      var column = [start]
      isPlaced[start] = true
      while !column.isEmpty {
        columns.append(column)
        let next = Set(column.flatMap { neighbours[$0] }).filter { !isPlaced[$0] }.sorted()
        for box in next { isPlaced[box] = true }
        column = next
      }
    }
    return lonely.isEmpty ? columns : columns + [lonely.sorted()]
  }
}
