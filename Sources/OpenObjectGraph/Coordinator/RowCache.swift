internal import COpenRuntime
internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract
internal import Synchronization

/// The rows used by the contexts of a coordinator, by key, so other contexts need not read them again.
///
/// Lists chunks without keeping them alive: a row is in the cache as long as an object, or another row of its
/// chunk, uses it. A newer version of a row is never replaced by an older one.
// Invariant of the unchecked conformance: the tables are used only while `lock` is held.
final class RowCache: RowChunkOwner, @unchecked Sendable {
  /// Where a row lies, and which chunk keeps it.
  private struct Place: BitwiseCopyable {
    var row: UnsafeRawPointer
    var chunk: UnsafeRawPointer
  }

  @exclusivity(unchecked) private var tables = KeyTables<Place>()
  private let lock = Mutex(())
  /// Root entity position by entity position.
  private let roots: [Int]

  init(roots: [Int]) { self.roots = roots }

  /// Lists the rows of a chunk that no other thread has seen yet.
  func publish(_ chunk: RowChunk) {
    chunk.join(self, at: Self.now)
    lock.withLock { _ in
      forEachRow(of: chunk) { row, key, table in
        list(row, of: chunk, key, in: table) { RowView($0).version <= RowView(row).version }
      }
    }
  }

  /// Lists saved rows, in chunks that no other thread has seen yet, instead of those that the objects have.
  ///
  /// The replaced row is identified by its address: the former rows were read long ago, and to look at each of them
  /// again would be to wait for memory.
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

  /// Lists a row, unless another is known for its key that must not be replaced.
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

  /// Calls `body` with the chunk of a listed row; it may be going away, and must not be kept.
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

  /// The newest row known for a key.
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

  /// The newest row known for a key, unless it was read longer ago than some seconds.
  func row(root: Int, key: Int64, youngerThan age: Double) -> Row? {
    guard let row = row(root: root, key: key), Self.now - row.chunk.readTime < age else {
      return nil
    }
    return row
  }

  /// Seconds of a monotonic clock.
  private static var now: Double { ProcessInfo.processInfo.systemUptime }

  /// Whether a row is known for a key.
  func contains(root: Int, key: Int64) -> Bool {
    lock.withLock { _ in tables[root].pointee.find(key) != nil }
  }

  /// Forgets rows that were deleted.
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
      // A chunk whose rows were all replaced need not be walked through.
      guard chunk.isListed else { return }
      forEachRow(of: chunk, isDistant: true) { row, key, table in
        table.pointee.remove(key) { $0.row == row }
      }
    }
  }
}
