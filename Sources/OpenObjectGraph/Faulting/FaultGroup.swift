internal import OpenObjectModel
internal import OpenStoreContract

/// The faults that are worth reading together with one: the destinations of the rows fetched with its source.
///
/// Only the keys matter; the rows from which they are read stay as packed as they came.
final class FaultGroup {
  private let chunk: RowChunk?
  /// Byte offset and slot of the foreign key in the chunk's rows.
  private let offset: Int
  private let slot: Int
  private let listed: [Int64]
  /// The relationship that leads to the rows, and the entity that has it; nil for objects that are only listed.
  let origin: (entity: CompiledEntity, ordinal: Int)?
  /// The maximum number of rows read by one statement.
  static let limit = 1000

  /// Destinations of a to-one relationship of all rows of a chunk and of those that follow it.
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

  /// Objects whose keys are known, such as the members of a relationship.
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

  /// The requested key, and up to 999 unread keys of the group.
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

  /// The listed keys from the wanted one on.
  private func following(_ wanted: Int64) -> ArraySlice<Int64> {
    guard let start = listed.firstIndex(of: wanted) else { return listed[...] }
    return listed[start...]
  }
}

/// The chunks read last for faults, by root entity, retained so that prefetched rows still exist when their objects
/// are accessed.
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
