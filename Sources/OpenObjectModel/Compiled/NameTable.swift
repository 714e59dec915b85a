/// Finds the position of a name of the model.
///
/// Every access by name uses such a table, which usually contains a few dozen names. A small table
/// therefore has a cheap hash. Larger tables, and tables with many collisions of the cheap hash,
/// hash the complete name, because names in generated models often have equal lengths and ends.
struct NameTable: Sendable {
  private struct Entry: Sendable {
    var name: String
    /// The position of the name; negative in an empty entry.
    var position: Int
  }

  /// The entries; a name is at the index of its hash, or in the next free entry.
  private let entries: [Entry]
  /// Whether the hash covers the complete name.
  private let isThorough: Bool

  /// Creates a table; the first of several equal names counts.
  init(_ names: [String]) {
    var size = 16
    while size < names.count * 2 { size *= 2 }
    if size <= Self.smallSize {
      let (entries, longestSearch) = Self.fill(names, size, isThorough: false)
      if longestSearch <= Self.searchLimit {
        (self.entries, isThorough) = (entries, false)
        return
      }
    }
    (entries, isThorough) = (Self.fill(names, size, isThorough: true).entries, true)
  }

  private static func fill(
    _ names: [String], _ size: Int, isThorough: Bool
  ) -> (entries: [Entry], longestSearch: Int) {
    var entries = [Entry](repeating: Entry(name: "", position: -1), count: size)
    var longestSearch = 0
    for (position, name) in names.enumerated() {
      var place = home(of: name, size, isThorough)
      var count = 1
      while entries[place].position >= 0, entries[place].name != name {
        place = (place + 1) & (size - 1)
        count += 1
      }
      longestSearch = max(longestSearch, count)
      if entries[place].position < 0 { entries[place] = Entry(name: name, position: position) }
    }
    return (entries, longestSearch)
  }

  private static let smallSize = 128
  /// The maximum number of entries that a search may visit before the table uses the complete hash.
  private static let searchLimit = 16

  /// Returns the index at which the search for a name begins.
  @inline(__always)
  private static func home(of name: String, _ size: Int, _ isThorough: Bool) -> Int {
    (isThorough ? wholeHash(name) : hash(name)) & (size &- 1)
  }

  @inline(never)
  private static func wholeHash(_ name: String) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Int(truncatingIfNeeded: hash ^ (hash >> 32))
  }

  /// Returns the number of entries that the longest of some searches visits.
  func longestSearch(_ names: [String]) -> Int {
    names.map { name in
      var place = Self.home(of: name, entries.count, isThorough)
      var count = 1
      while entries[place].position >= 0, entries[place].name != name {
        place = (place &+ 1) & (entries.count &- 1)
        count += 1
      }
      return count
    }.max() ?? 0
  }

  @inline(__always)
  private static func hash(_ name: String) -> Int {
    // All Swift strings on this platform are contiguous; other strings take the slow path.
    name.utf8.withContiguousStorageIfAvailable(hash)
      ?? ContiguousArray(name.utf8).withUnsafeBufferPointer(hash)
  }

  @inline(__always)
  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    guard !bytes.isEmpty else { return 0 }
    return bytes.count &* 31 &+ Int(bytes[0]) &* 7 &+ Int(bytes[bytes.count &- 1])
  }

  /// Returns the position of a name; nil if the table does not contain the name.
  func position(of name: String) -> Int? {
    var place = Self.home(of: name, entries.count, isThorough)
    while entries[place].position >= 0 {
      if entries[place].name == name { return entries[place].position }
      place = (place &+ 1) & (entries.count &- 1)
    }
    return nil
  }
}
