internal import COpenRuntime
internal import OpenObjectModel
internal import OpenStoreContract
internal import Synchronization

/// The registered objects of one context, by key. The map does not retain the objects.
///
/// An object leaves the map in its `deinit`, which may run on any thread. Therefore every access
/// takes the lock, and a lookup retains the object while it holds the lock. No user code runs
/// while the lock is held.
struct IdentityMap: ~Copyable, Sendable {
  private let tables: Mutex<StoreTables>

  init(model: CompiledModel) { tables = Mutex(StoreTables(rootCount: model.entities.count)) }

  @inline(__always)
  private static func object(at address: UnsafeRawPointer) -> NSManagedObject? {
    guard let retained = ocd_try_retain(UnsafeMutableRawPointer(mutating: address)) else {
      return nil
    }
    return Unmanaged<NSManagedObject>.fromOpaque(retained).takeRetainedValue()
  }

  /// Returns the registered object with the given key; nil if there is none.
  func object(store: Int, root: Int, key: Int64) -> NSManagedObject? {
    var object: NSManagedObject?
    tables.withLock { tables in
      guard let address = tables.known(store, root)?.pointee.find(key) else { return }
      object = Self.object(at: address)
    }
    return object
  }

  /// Returns the registered object with a temporary key, regardless of the object's store; nil if
  /// there is none.
  func unsavedObject(root: Int, key: Int64) -> NSManagedObject? {
    var object: NSManagedObject?
    tables.withLock { object = $0.find(key, root).flatMap(Self.object(at:)) }
    return object
  }

  /// Finds the registered objects of a chunk's rows, in the order of the rows.
  ///
  /// `found` contains nil for a row without a registered object. If no row has a registered object,
  /// `found` is empty.
  func objects(
    store: Int, root: Int, rowsOf chunk: RowChunk, into found: inout [NSManagedObject?]
  ) {
    found.removeAll(keepingCapacity: true)
    tables.withLock { tables in
      guard let table = tables.known(store, root), table.pointee.count > 0 else { return }
      var isKnown = false
      chunk.forEachRowAddress { row in
        let object = table.pointee.find(RowView(row).key).flatMap(Self.object(at:))
        if object != nil { isKnown = true }
        found.append(object)
      }
      if !isKnown { found.removeAll(keepingCapacity: true) }
    }
  }

  func insert(_ object: NSManagedObject, store: Int, root: Int, key: Int64) {
    tables.withLock { tables in
      tables.table(store, root).pointee
        .insert(key, UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()))
    }
  }

  /// Registers several objects of one root entity under their own keys.
  func insert(_ objects: ArraySlice<NSManagedObject>, store: Int, root: Int) {
    tables.withLock { tables in
      let table = tables.table(store, root)
      for position in objects.indices {
        borrowing(objects[position]) { object in
          table.pointee.insert(
            object.key, UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()))
        }
      }
    }
  }

  /// Moves objects from their temporary keys to their present keys.
  func rekey(_ objects: [RekeyedObject]) {
    tables.withLock { tables in
      for entry in objects {
        borrowing(entry.object) { object in
          let table = tables.table(
            Int(object.storePosition), object.compiledEntity.rootIndex)
          let address = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
          table.pointee.remove(entry.temporaryKey) { $0 == address }
          table.pointee.insert(object.key, address)
        }
      }
    }
  }

  func remove(address: UnsafeRawPointer, store: Int, root: Int, key: Int64) {
    tables.withLock { tables in
      tables.known(store, root)?.pointee.remove(key) { $0 == address }
    }
  }

  /// Returns whether any object of a store is registered.
  func hasObjects(of store: Int) -> Bool { tables.withLock { $0.hasEntries(of: store) } }

  /// Returns all registered objects.
  func all() -> [NSManagedObject] {
    var objects: [NSManagedObject] = []
    tables.withLock { tables in
      tables.forEach { table in
        table.pointee.forEach { address in
          if let object = Self.object(at: address) { objects.append(object) }
        }
      }
    }
    return objects
  }

  func removeAll() {
    tables.withLock { tables in
      tables.forEach { $0.pointee.removeAll() }
    }
  }
}
