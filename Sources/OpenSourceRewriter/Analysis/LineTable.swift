/// A table of the positions at which the lines of a text begin.
///
/// The table replaces the converter of swift-syntax, which traverses the tree recursively.
struct LineTable {
  private let starts: [Int]

  init(_ bytes: [UInt8]) {
    starts = [0] + bytes.indices.filter { bytes.endsLine(at: $0) }.map { $0 + 1 }
  }

  /// Returns the line and the column of a byte, both starting with 1.
  func place(of offset: Int) -> (line: Int, column: Int) {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return (low + 1, offset - starts[low] + 1)
  }
}

extension Array<UInt8> {
  /// Returns whether a byte ends a line: a line feed, or a carriage return that no line feed
  /// follows.
  func endsLine(at index: Int) -> Bool {
    if self[index] == 0x0A { return true }
    return self[index] == 0x0D && (index + 1 == count || self[index + 1] != 0x0A)
  }
}
