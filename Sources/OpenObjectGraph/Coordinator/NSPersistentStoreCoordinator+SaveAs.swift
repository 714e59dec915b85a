public import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

extension NSPersistentStoreCoordinator {
  /// Copies every object to a new store, which replaces the old store in the coordinator ("Save
  /// As").
  ///
  /// The new store has its own identifier. Each object has the same key in both stores. After the
  /// call, registered objects belong to the new store. Existing ids still refer to the old store,
  /// whose file remains.
  ///
  /// The new store gets the metadata of the old store, including metadata that is not yet saved.
  /// The new store gets neither the history of the old store nor the positions of named history
  /// consumers.
  ///
  /// - Parameters:
  ///   - store: A store of the coordinator. No context may have unsaved changes to objects of the
  ///     store.
  ///   - storeURL: The URL of the new store. There must be no store and no file, except an empty
  ///     file, at this URL. Ignored for an in-memory store.
  ///   - options: The options of the new store, by key; nil for no options. If the options make the
  ///     store read-only, the method writes its contents first.
  ///   - storeType: The type of the new store, which may differ from the type of the old store.
  /// - Returns: The new store.
  /// - Throws: `CocoaError` 134070 if a store or a file already exists at the URL, or if `store`
  ///   does not belong to the coordinator; other `CocoaError`s if the new store cannot be created
  ///   or written. After an error, the old store is unchanged.
  /// > Reference: Apple, NSPersistentStoreCoordinator,
  /// > migratePersistentStore(_:to:options:withType:).
  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
    withType storeType: String
  ) throws -> NSPersistentStore {
    let metadata = try store.pendingMetadata()
    var parts = try openNewStore(storeType, store, storeURL, options)
    let keys: [ObjectKey]
    let new: NSPersistentStore
    do {
      keys = try mapping { () throws(StoreError) in
        try copy(store.backend, to: parts.backend, metadata?.values)
      }
      if StoreConfiguration(url: storeURL, options: options).isReadOnly {
        try makeReadOnly(&parts, options)
      }
      new = try exchange(store, for: parts)
    } catch {
      parts.backend.close()
      // The incomplete copy is useless. If another program has opened the new SQLite store, the
      // store is not destroyed. The caller receives only the first error.
      try? Self.destroyContents(at: storeURL, StoreTypes.opener(of: parts.type).files)
      throw error
    }
    if let metadata { store.forget(metadata) }
    announceExchange(of: store, for: new, keys)
    store.backend.close()
    return new
  }

  /// Copies every object to a new store of the given type, which replaces the old store in the
  /// coordinator.
  ///
  /// The method calls ``migratePersistentStore(_:to:options:withType:)`` with the type string.
  ///
  /// - Parameters:
  ///   - store: A store of the coordinator. No context may have unsaved changes to objects of the
  ///     store.
  ///   - storeURL: The URL of the new file, which must not exist or must be empty. Ignored for an
  ///     in-memory store.
  ///   - options: The options of the new store, by key; nil for no options.
  ///   - type: The type of the new store, which may differ from the type of the old store.
  /// - Returns: The new store.
  /// - Throws: The same errors as ``migratePersistentStore(_:to:options:withType:)``.
  /// > Reference: Apple, NSPersistentStoreCoordinator, migratePersistentStore(_:to:options:type:).
  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
    type: NSPersistentStore.StoreType
  ) throws -> NSPersistentStore {
    try migratePersistentStore(store, to: storeURL, options: options, withType: type.rawValue)
  }

  /// Copies one state of a store. The state is pinned during the copy, so that its external values
  /// are kept.
  ///
  /// - Parameter metadata: The metadata that the application has set and that is not yet written.
  private func copy(
    _ source: any StoreBackend, to destination: any StoreBackend, _ metadata: StoreMetadata?
  ) throws(StoreError) -> [ObjectKey] {
    let state = try source.pinned()
    defer { state?.close() }
    return try StoreCopy(
      model: model, source: state ?? source, destination: destination, pendingMetadata: metadata
    ).run()
  }

  /// Opens the new store for writing, even if the options request a read-only store.
  private func openNewStore(
    _ type: String, _ store: NSPersistentStore, _ url: URL, _ options: [AnyHashable: Any]?
  ) throws -> OpenedStore {
    if let files = try StoreTypes.opener(of: type).files, Self.isOccupied(url, options, files) {
      throw CocoaError.make(
        .persistentStoreOperation,
        "A store already exists at the location of the new store. Delete the store or choose another location.",
        path: url.path)
    }
    let writing = options?.filter { $0.key != AnyHashable(NSReadOnlyPersistentStoreOption) }
    let parts = try openStore(type, store.addedConfigurationName, url, writing)
    do {
      // Another program may have created a store after the first check.
      try mapping { () throws(StoreError) in
        try StoreCopy.requireEmpty(parts.backend, of: model)
      }
    } catch {
      parts.backend.close()
      throw error
    }
    return parts
  }

  /// Makes the new store, which was opened for writing, read-only.
  private func makeReadOnly(_ new: inout OpenedStore, _ options: [AnyHashable: Any]?) throws {
    new.options = options
    new.isReadOnly = true
    // An in-memory store cannot be reopened.
    guard new.backend.capabilities.contains(.durable) else { return }
    new.backend.close()
    new = try openStore(new.type, new.configurationName, new.url, options)
  }

  /// Returns whether a file that is not empty, or a store on a server, is at a location.
  private static func isOccupied(
    _ url: URL, _ options: [AnyHashable: Any]?, _ files: StoreTypes.FileOperations
  ) -> Bool {
    if url.isFileURL {
      return ((try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0) > 0
    }
    // If the metadata cannot be read, there is no store, or opening it throws the same error.
    return (try? files.metadata(StoreConfiguration(url: url, options: options))) != nil
  }

  /// Posts the notifications of Apple's framework, which first adds the new store and then replaces
  /// the old store.
  private func announceExchange(
    of old: NSPersistentStore, for new: NSPersistentStore, _ keys: [ObjectKey]
  ) {
    announceStores([NSAddedPersistentStoresKey: [new]])
    announceRemoval(of: old)
    announceRemoval(of: new)
    let ids = keys.flatMap { key in
      [old, new].map {
        NSManagedObjectID(store: $0, entity: model.entities[Int(key.entityIndex)], key: key.key)
      }
    }
    announceStores([NSUUIDChangedPersistentStoresKey: [old, new, ids] as [Any]])
    announceRemoval(of: old)
    announceStores([NSRemovedPersistentStoresKey: [old]])
  }

  private func announceRemoval(of store: NSPersistentStore) {
    NotificationCenter.default.post(
      name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store)
  }
}
