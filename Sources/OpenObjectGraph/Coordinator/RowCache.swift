internal import COpenRuntime
internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract
internal import Synchronization

/// The rows of a store that the contexts of a coordinator share, by key.
///
/// The cache does not retain chunks: a row stays in the cache while an object uses a row of the
/// same chunk. A newer version of a row is never replaced by an older version.
// Invariant of the unchecked conformance: the tables are used only while `lock` is held.
final class RowCache: RowChunkOwner, @unchecked Sendable {
  /// The address of a row and its chunk.
  private struct Place: BitwiseCopyable {
    var row: UnsafeRawPointer
    var chunk: UnsafeRawPointer
  }

  @exclusivity(unchecked) private var tables = KeyTables<Place>()
  private let lock = Mutex(())
  /// The positions of root entities, by entity position.
  private let roots: [Int]

  init(roots: [Int]) { self.roots = roots }

  /// Adds the rows of a chunk that no other thread has seen yet.
  func publish(_ chunk: RowChunk) {
    chunk.join(self, at: Self.now)
    lock.withLock { _ in
      forEachRow(of: chunk) { row, key, table in
        list(row, of: chunk, key, in: table) { RowView($0).version <= RowView(row).version }
      }
    }
  }

  /// Replaces the rows of objects with their saved rows, in chunks that no other thread has seen
  /// yet.
  ///
  /// A replaced row is identified by its address, because comparing the versions of rows that were
  /// read long ago would wait for memory.
  func publish(_ rows: [PackedObject], in chunks: [RowChunk]) {
    let now = Self.now
    for chunk in chunks { chunk.join(self, at: now) }
    lock.withLock { _ in
      for packed in rows {
        let (former, key, root) = borrowing(packed.object) {
          ($0.base, $0.key, $0.compiledEntity.rootIndex)
        }
        borrowing(packed.chunk) { chunk in
          list(packed.base, of: chunk, key, in: tables[root]) {
            $0 == former || RowView($0).version <= RowView(packed.base).version
          }
        }
      }
    }
  }

  /// Adds a row, unless the cache has a row with the same key that must not be replaced.
  @inline(__always)
  private func list(
    _ row: UnsafeRawPointer, of chunk: RowChunk, _ key: Int64,
    in table: UnsafeMutablePointer<KeyTable<Place>>,
    replacing isReplaced: (UnsafeRawPointer) -> Bool
  ) {
    let place = Place(
      row: row, chunk: UnsafeRawPointer(Unmanaged.passUnretained(chunk).toOpaque()))
    var isListed = true
    table.pointee.insert(key, place) { known in
      isListed = isReplaced(known.row)
      if isListed { Self.withChunk(of: known) { $0.noteListed(-1) } }
      return isListed
    }
    if isListed { chunk.noteListed(1) }
  }

  /// Calls `body` with the chunk of a cached row. The chunk may be in deallocation and must not be
  /// retained.
  @inline(__always)
  private static func withChunk(of place: Place, _ body: (RowChunk) -> Void) {
    Unmanaged<RowChunk>.fromOpaque(place.chunk)._withUnsafeGuaranteedRef(body)
  }

  @inline(__always)
  private func forEachRow(
    of chunk: RowChunk, isDistant: Bool = false,
    _ body: (UnsafeRawPointer, Int64, UnsafeMutablePointer<KeyTable<Place>>) -> Void
  ) {
    var entity = -1
    var table = tables[0]
    chunk.forEachRowAddress { row in
      let view = RowView(row)
      if isDistant { view.prefetchAhead() }
      if view.entityIndex != entity {
        entity = view.entityIndex
        table = tables[roots[entity]]
      }
      body(row, view.key, table)
    }
  }

  /// Returns the newest known row with the given key; nil if the cache has no such row.
  func row(root: Int, key: Int64) -> Row? {
    var row: Row?
    lock.withLock { _ in
      guard let place = tables[root].pointee.find(key),
        let retained = ocd_try_retain(UnsafeMutableRawPointer(mutating: place.chunk))
      else { return }
      row = Row(
        chunk: Unmanaged<RowChunk>.fromOpaque(retained).takeRetainedValue(), base: place.row)
    }
    return row
  }

  /// Returns the newest known row with the given key; nil if the row was not read within the last
  /// `age` seconds.
  func row(root: Int, key: Int64, youngerThan age: Double) -> Row? {
    guard let row = row(root: root, key: key), Self.now - row.chunk.readTime < age else {
      return nil
    }
    return row
  }

  /// The current time of a monotonic clock, in seconds.
  private static var now: Double { ProcessInfo.processInfo.systemUptime }

  /// Whether the cache has a row with the given key.
  func contains(root: Int, key: Int64) -> Bool {
    lock.withLock { _ in tables[root].pointee.find(key) != nil }
  }

  /// Removes rows that were changed or deleted in the store.
  func remove(_ keys: [ObjectKey]) {
    lock.withLock { _ in
      for id in keys {
        tables[roots[Int(id.entityIndex)]].pointee.remove(id.key) { place in
          Self.withChunk(of: place) { $0.noteListed(-1) }
          return true
        }
      }
    }
  }

  func chunkWillDeallocate(_ chunk: RowChunk) {
    lock.withLock { _ in
      // A chunk whose rows were all replaced has no rows in the tables.
      guard chunk.isListed else { return }
      forEachRow(of: chunk, isDistant: true) { row, key, table in
        table.pointee.remove(key) { $0.row == row }
      }
    }
  }
}
