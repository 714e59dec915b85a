internal import COpenRuntime
internal import Foundation
internal import OpenStoreContract
internal import Synchronization

/// The rows that any context of a coordinator holds, by key, so that the others need not read them again.
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
    lock.withLock { _ in list(chunk) }
  }

  private func list(_ chunk: RowChunk) {
    let address = UnsafeRawPointer(Unmanaged.passUnretained(chunk).toOpaque())
    forEachRow(of: chunk) { row, key, table in
      if let known = table.pointee.find(key), Self.version(known.row) > Self.version(row) { return }
      table.pointee.insert(key, Place(row: row, chunk: address))
    }
  }

  @inline(__always)
  private func forEachRow(
    of chunk: RowChunk,
    _ body: (UnsafeRawPointer, Int64, UnsafeMutablePointer<KeyTable<Place>>) -> Void
  ) {
    var entity = UInt32.max
    var table = tables[0]
    chunk.forEachRowAddress { row in
      let rowEntity = row.load(fromByteOffset: RowLayout.entity, as: UInt32.self)
      if rowEntity != entity {
        entity = rowEntity
        table = tables[roots[Int(entity)]]
      }
      body(row, row.load(fromByteOffset: RowLayout.key, as: Int64.self), table)
    }
  }

  @inline(__always)
  private static func version(_ row: UnsafeRawPointer) -> Int64 {
    row.load(fromByteOffset: RowLayout.version, as: Int64.self)
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

  /// Seconds on a clock that nobody sets.
  private static var now: Double { ProcessInfo.processInfo.systemUptime }

  /// Whether a row is known for a key.
  func contains(root: Int, key: Int64) -> Bool {
    lock.withLock { _ in tables[root].pointee.find(key) != nil }
  }

  /// Forgets rows that were deleted.
  func remove(_ keys: [ObjectKey]) {
    lock.withLock { _ in
      for id in keys { tables[roots[Int(id.entityIndex)]].pointee.remove(id.key) { _ in true } }
    }
  }

  func chunkWillDeallocate(_ chunk: RowChunk) {
    lock.withLock { _ in
      forEachRow(of: chunk) { row, key, table in
        table.pointee.remove(key) { $0.row == row }
      }
    }
  }
}
