internal import OpenObjectModel
internal import OpenStoreContract

/// Faults that one statement reads together, such as the destinations of rows fetched together.
///
/// The group reads only keys and leaves the rows that contain them packed.
final class FaultGroup {
  private let chunk: RowChunk?
  /// The byte offset and the slot of the foreign key in the chunk's rows.
  private let offset: Int
  private let slot: Int
  private let listed: [Int64]
  /// The relationship whose destinations form the group, and its source entity; nil for a list of
  /// keys.
  let origin: (entity: CompiledEntity, ordinal: Int)?
  /// The maximum number of rows read by one statement.
  static let limit = 1000

  /// Creates a group of the destinations of a to-one relationship.
  ///
  /// The group covers all rows of a chunk and of the chunks that follow it.
  init(
    destinationsOf chunk: RowChunk, offset: Int, slot: Int,
    origin: (entity: CompiledEntity, ordinal: Int)?
  ) {
    self.chunk = chunk
    self.origin = origin
    self.offset = offset
    self.slot = slot
    listed = []
  }

  /// Creates a group of objects with known keys, such as the members of a relationship.
  init(keys: [Int64]) {
    chunk = nil
    origin = nil
    offset = 0
    slot = 0
    listed = keys
  }

  func isGroup(of chunk: RowChunk, offset: Int) -> Bool {
    self.chunk === chunk && self.offset == offset
  }

  /// Returns the requested key and up to 999 unread keys of the group.
  func keys(with wanted: Int64, unless isKnown: (Int64) -> Bool) -> [Int64] {
    var keys = [wanted]
    var seen: Set<Int64> = [wanted]
    func take(_ key: Int64) {
      guard seen.insert(key).inserted, key > 0, !isKnown(key) else { return }
      keys.append(key)
    }
    for key in following(wanted) where keys.count < Self.limit { take(key) }
    var next = chunk
    var last: Int64 = 0
    while let current = next, keys.count < Self.limit {
      current.forEachRow { row in
        let key = row.integer(at: offset)
        guard key != last, keys.count < Self.limit, !row.isNull(slot) else { return }
        last = key
        take(key)
      }
      next = current.next
    }
    return keys
  }

  /// Returns the listed keys, starting with the requested key.
  private func following(_ wanted: Int64) -> ArraySlice<Int64> {
    guard let start = listed.firstIndex(of: wanted) else { return listed[...] }
    return listed[start...]
  }
}

/// The chunks most recently read for faults, by root entity.
///
/// Retaining a chunk keeps its prefetched rows alive until their objects are accessed.
struct RecentRows {
  private var chunks: [Int: [RowChunk]] = [:]
  private static let kept = 2

  mutating func keep(_ chunk: RowChunk, root: Int) {
    var list = chunks[root] ?? []
    if list.count == Self.kept { list.removeFirst() }
    list.append(chunk)
    chunks[root] = list
  }

  mutating func removeAll() { chunks.removeAll() }
}
