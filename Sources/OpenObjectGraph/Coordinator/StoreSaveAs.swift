internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// Copies every object of a store to a new store, which replaces the old store in the coordinator.
///
/// The coordinator creates a value for each call of `migratePersistentStore`. The value never
/// changes the contents of the old store, whose file remains.
struct StoreSaveAs {
  let coordinator: NSPersistentStoreCoordinator
  /// The store that is copied and then replaced.
  let source: NSPersistentStore
  /// The URL of the new store.
  let url: URL
  /// The type of the new store.
  let type: String
  /// The options of the new store, which may make it read-only.
  let options: [AnyHashable: Any]?

  /// Implements `migratePersistentStore(_:to:options:withType:)`.
  func run() throws -> NSPersistentStore {
    let metadata = try source.pendingMetadata()
    let writeCount = source.writes.endedCount
    var parts = try openDestination()
    let keys: [ObjectKey]
    let new: NSPersistentStore
    do {
      keys = try surfacingErrors { try copy(to: parts.backend, metadata?.values) }
      if StoreConfiguration(url: url, options: options).isReadOnly { try makeReadOnly(&parts) }
      new = try coordinator.exchange(source, for: parts, copiedAfter: writeCount)
    } catch {
      parts.backend.close()
      // The incomplete copy is useless. If another program has opened the new SQLite store, the
      // store is not destroyed. The caller receives only the first error.
      try? StoreFileAccess(parts.type, at: url).destroy()
      throw error
    }
    if let metadata { source.forget(metadata) }
    announceExchange(for: new, keys)
    source.backend.close()
    return new
  }

  /// Opens the new store for writing, even if the options request a read-only store.
  private func openDestination() throws -> OpenedStore {
    if let files = try StoreTypes.opener(of: type).files, isOccupied(files) {
      throw CocoaError.make(
        .persistentStoreOperation,
        "A store already exists at the location of the new store. Delete the store or choose another location.",
        path: url.path)
    }
    let writing = options?.filter { $0.key != AnyHashable(NSReadOnlyPersistentStoreOption) }
    let parts = try coordinator.openStore(type, source.addedConfigurationName, url, writing)
    do {
      // Another program may have created a store after the first check.
      try surfacingErrors { try StoreCopy.requireEmpty(parts.backend, of: coordinator.model) }
    } catch {
      parts.backend.close()
      throw error
    }
    return parts
  }

  /// Returns whether a store is at the location of the new store.
  ///
  /// An empty database is not a store. Destroying an incomplete copy leaves an empty database.
  private func isOccupied(_ files: StoreTypes.FileOperations) -> Bool {
    if url.isFileURL,
      ((try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0) == 0
    {
      return false
    }
    // If the metadata cannot be read, there is no store, or opening it throws the same error.
    return (try? files.metadata(StoreConfiguration(url: url, options: options))) != nil
  }

  /// Copies one state of the source. The state is pinned during the copy, so that its external
  /// values are kept.
  ///
  /// - Parameter metadata: The metadata that the application has set and that is not yet written.
  private func copy(
    to destination: any StoreBackend, _ metadata: StoreMetadata?
  ) throws(StoreError) -> [ObjectKey] {
    let state = try source.backend.pinned()
    defer { state?.close() }
    return try StoreCopy(
      model: coordinator.model, source: state ?? source.backend, destination: destination,
      pendingMetadata: metadata, assignedKeys: try assignedKeys()
    ).run()
  }

  /// Returns the last keys that the source has assigned, by the position of the root entity in the
  /// model. The rows with these keys may have been deleted.
  private func assignedKeys() throws(StoreError) -> [Int: Int64] {
    if let numbering = source.backend as? any StoreNumbering { return try numbering.lastKeys() }
    // An incremental store assigns its keys itself, and a read-only store assigns no keys.
    if source.requests != nil || source.backend.isReadOnly { return [:] }
    let roots = coordinator.model.entities.filter { $0.superIndex == nil }.map(\.index)
    return try source.backend.reserveKeys(Dictionary(uniqueKeysWithValues: roots.map { ($0, 1) }))
  }

  /// Makes the new store, which was opened for writing, read-only.
  private func makeReadOnly(_ new: inout OpenedStore) throws {
    new.options = options
    new.isReadOnly = true
    // An in-memory store cannot be reopened.
    guard new.backend.capabilities.contains(.durable) else { return }
    new.backend.close()
    new = try coordinator.openStore(new.type, new.configurationName, new.url, options)
  }

  /// Posts the notifications of Apple's framework, which first adds the new store and then replaces
  /// the old store.
  private func announceExchange(for new: NSPersistentStore, _ keys: [ObjectKey]) {
    coordinator.announceStores([NSAddedPersistentStoresKey: [new]])
    announceRemoval(of: source)
    announceRemoval(of: new)
    let entities = coordinator.model.entities
    let ids = keys.flatMap { key in
      [source, new].map {
        NSManagedObjectID(store: $0, entity: entities[Int(key.entityIndex)], key: key.key)
      }
    }
    coordinator.announceStores([NSUUIDChangedPersistentStoresKey: [source, new, ids] as [Any]])
    announceRemoval(of: source)
    coordinator.announceStores([NSRemovedPersistentStoresKey: [source]])
  }

  private func announceRemoval(of store: NSPersistentStore) {
    NotificationCenter.default.post(
      name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store)
  }
}
