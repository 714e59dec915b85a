internal import COpenRuntime
internal import OpenStoreContract
internal import Synchronization

/// The rows that any context of a coordinator holds, by key, so that the others need not read them again.
///
/// Lists chunks without keeping them alive: a row is in the cache as long as an object, or another row of its
/// chunk, uses it. A newer version of a row is never replaced by an older one.
// Invariant of the unchecked conformance: the tables are used only while `lock` is held.
final class RowCache: RowChunkOwner, @unchecked Sendable {
  private final class TableBox {
    /// Addresses of rows by key, and of each row's chunk.
    var rows = KeyTable()
    var chunks = KeyTable()
  }

  private let tables: [TableBox]
  private let lock = Mutex(())
  /// Root entity position by entity position.
  private let roots: [Int]

  init(roots: [Int]) {
    self.roots = roots
    tables = roots.map { _ in TableBox() }
  }

  /// Lists the rows of chunks that no other thread has seen yet.
  func publish(_ chunks: [RowChunk]) {
    lock.withLock { _ in
      for chunk in chunks {
        chunk.owner = self
        let address = UnsafeRawPointer(Unmanaged.passUnretained(chunk).toOpaque())
        chunk.forEachRow { row in
          let box = tables[roots[row.entityIndex]]
          let key = row.key
          if let known = box.rows.find(key),
            known.load(fromByteOffset: RowLayout.version, as: Int64.self) > row.version
          {
            return
          }
          box.rows.insert(key, row.base)
          box.chunks.insert(key, address)
        }
      }
    }
  }

  /// The newest row known for a key.
  func row(root: Int, key: Int64) -> Row? {
    var row: Row?
    lock.withLock { _ in
      let box = tables[root]
      guard let base = box.rows.find(key), let address = box.chunks.find(key),
        let retained = ocd_try_retain(UnsafeMutableRawPointer(mutating: address))
      else { return }
      row = Row(
        chunk: Unmanaged<RowChunk>.fromOpaque(retained).takeRetainedValue(), base: base)
    }
    return row
  }

  /// Whether a row is known for a key.
  func contains(root: Int, key: Int64) -> Bool {
    lock.withLock { _ in tables[root].rows.find(key) != nil }
  }

  /// Forgets rows that were deleted.
  func remove(_ keys: [ObjectKey]) {
    lock.withLock { _ in
      for id in keys {
        let box = tables[roots[Int(id.entityIndex)]]
        if let base = box.rows.find(id.key) { box.rows.remove(id.key, ifEqualTo: base) }
        if let chunk = box.chunks.find(id.key) { box.chunks.remove(id.key, ifEqualTo: chunk) }
      }
    }
  }

  func chunkWillDeallocate(_ chunk: RowChunk) {
    let address = UnsafeRawPointer(Unmanaged.passUnretained(chunk).toOpaque())
    let base = UnsafeRawPointer(chunk.base)
    let used = chunk.used
    lock.withLock { _ in
      var offset = 0
      while offset < used {
        let row = base + offset
        let key = row.load(fromByteOffset: RowLayout.key, as: Int64.self)
        let entity = row.load(fromByteOffset: RowLayout.entity, as: UInt32.self)
        offset += Int(row.load(fromByteOffset: RowLayout.length, as: UInt32.self))
        let box = tables[roots[Int(entity)]]
        if box.rows.find(key) == row {
          box.rows.remove(key, ifEqualTo: row)
          box.chunks.remove(key, ifEqualTo: address)
        }
      }
    }
  }
}
