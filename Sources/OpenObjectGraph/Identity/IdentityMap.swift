internal import COpenRuntime
internal import OpenObjectModel
internal import OpenStoreContract
internal import Synchronization

/// One context's registered objects: the one managed object of each key, held weakly.
///
/// An object leaves the map in its `deinit`, which may run on any thread; that is why every access takes the
/// lock and why a look-up retains under it. No user code runs while the lock is held.
// Invariant of the unchecked conformance: `tables` is used only while `lock` is held.
final class IdentityMap: @unchecked Sendable {
  /// The tables, by root entity position; one row of tables for each store position.
  private var tables: [TableBox] = []
  private let lock = Mutex(())
  private let rootCount: Int

  private final class TableBox {
    var table = KeyTable()
  }

  init(model: CompiledModel) { rootCount = model.entities.count }

  @inline(__always)
  private func position(_ store: Int, _ root: Int) -> Int { store &* rootCount &+ root }

  @inline(__always)
  private static func object(at address: UnsafeRawPointer) -> NSManagedObject? {
    guard let retained = ocd_try_retain(UnsafeMutableRawPointer(mutating: address)) else {
      return nil
    }
    return Unmanaged<NSManagedObject>.fromOpaque(retained).takeRetainedValue()
  }

  private func box(_ position: Int) -> TableBox {
    while tables.count <= position { tables.append(TableBox()) }
    return tables[position]
  }

  /// The registered object with a key, or nil.
  func object(store: Int, root: Int, key: Int64) -> NSManagedObject? {
    var object: NSManagedObject?
    lock.withLock { _ in
      let position = position(store, root)
      guard position < tables.count, let address = tables[position].table.find(key) else { return }
      object = Self.object(at: address)
    }
    return object
  }

  /// The registered objects of a chunk's rows, in their order; nil where none is registered.
  func objects(
    store: Int, root: Int, rowsOf chunk: RowChunk, into found: inout [NSManagedObject?]
  ) {
    found.removeAll(keepingCapacity: true)
    lock.withLock { _ in
      let box = box(position(store, root))
      if box.table.count == 0 {
        for _ in 0..<chunk.rowCount { found.append(nil) }
        return
      }
      chunk.forEachRow { row in
        found.append(box.table.find(row.key).flatMap(Self.object(at:)))
      }
    }
  }

  func insert(_ object: NSManagedObject, store: Int, root: Int, key: Int64) {
    lock.withLock { _ in
      box(position(store, root)).table
        .insert(key, UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()))
    }
  }

  /// Registers several objects of one root entity under their own keys.
  func insert(_ objects: ArraySlice<NSManagedObject>, store: Int, root: Int) {
    lock.withLock { _ in
      let box = box(position(store, root))
      for object in objects {
        box.table.insert(
          object.key, UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()))
      }
    }
  }

  func remove(address: UnsafeRawPointer, store: Int, root: Int, key: Int64) {
    lock.withLock { _ in
      let position = position(store, root)
      guard position < tables.count else { return }
      tables[position].table.remove(key, ifEqualTo: address)
    }
  }

  /// All registered objects.
  func all() -> [NSManagedObject] {
    var objects: [NSManagedObject] = []
    lock.withLock { _ in
      for box in tables {
        box.table.forEach { address in
          if let object = Self.object(at: address) { objects.append(object) }
        }
      }
    }
    return objects
  }

  func removeAll() {
    lock.withLock { _ in
      for box in tables { box.table.removeAll() }
    }
  }
}
