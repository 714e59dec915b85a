/// Where the lines of a text begin.
///
/// In place of swift-syntax's converter, which goes through the tree by recursion.
struct LineTable {
  private let starts: [Int]

  init(_ bytes: [UInt8]) {
    starts = [0] + bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
  }

  /// The line and the column of a byte, both from 1.
  func place(of offset: Int) -> (line: Int, column: Int) {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return (low + 1, offset - starts[low] + 1)
  }
}
