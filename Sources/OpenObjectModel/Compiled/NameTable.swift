/// Finds the position of a property name: a small table with a cheap hash, since it is asked on every access by
/// name and holds a few dozen names at most.
struct NameTable: Sendable {
  private struct Entry: Sendable {
    var name: String
    var position: Int
  }

  private let buckets: [[Entry]]
  private let mask: Int

  /// Makes a table; of equal names the first counts.
  init(_ names: [String]) {
    var size = 16
    while size < names.count * 2 { size *= 2 }
    mask = size - 1
    var buckets = [[Entry]](repeating: [], count: size)
    for (position, name) in names.enumerated() {
      let bucket = Self.hash(name) & mask
      if !buckets[bucket].contains(where: { $0.name == name }) {
        buckets[bucket].append(Entry(name: name, position: position))
      }
    }
    self.buckets = buckets
  }

  @inline(__always)
  private static func hash(_ name: String) -> Int {
    let bytes = name.utf8
    guard let first = bytes.first, let last = bytes.last else { return 0 }
    return bytes.count &* 31 &+ Int(first) &* 7 &+ Int(last)
  }

  /// The position of a name, nil when it is not in the table.
  func position(of name: String) -> Int? {
    for entry in buckets[Self.hash(name) & mask] where entry.name == name { return entry.position }
    return nil
  }
}
