internal import Foundation
internal import OpenCoreData
internal import OpenObjectGraph
internal import OpenStoreContract

extension PersistenceController {
  /// The backups of the stack's stores, with one element for each store that has a file; empty if
  /// no store has a file.
  public var backups: [StoreBackups] {
    container.persistentStoreCoordinator.persistentStores.compactMap { store in
      guard let url = store.url, url.isFileURL, !url.isInMemory, store.type != NSInMemoryStoreType
      else { return nil }
      return StoreBackups(ofStoreAt: url, type: .init(rawValue: store.type))
    }
  }

  /// Creates a backup of each store that has a file.
  ///
  /// The backups contain saved data only.
  ///
  /// Contexts and other processes can read and save during the call. The call does not block the
  /// caller's thread.
  ///
  /// - Parameter count: The number of backups of each store to keep, including the new backup; nil
  ///   to keep all. A value less than 1 is treated as 1. The method removes older backups.
  /// - Returns: The new backups, in the order of the stores.
  /// - Throws: The same errors as ``StoreBackups/make(keeping:)``; `CancelledWork` with the
  ///   completed backups if the task is canceled before all stores are copied; `CocoaError` 134060
  ///   if no store has a file.
  @discardableResult
  public func backUp(keeping count: Int? = nil) async throws -> [StoreBackup] {
    let stores = backups
    guard !stores.isEmpty else {
      throw CocoaError(
        .coreData,
        userInfo: [
          NSLocalizedDescriptionKey:
            "No open store has a file, so there is nothing to back up."
        ])
    }
    let context = newBackgroundContext()
    var made: [StoreBackup] = []
    for store in stores {
      if Task.isCancelled { throw CancelledWork(completed: made) }
      made.append(try await context.perform { try store.make(keeping: count) })
    }
    return made
  }

  /// Replaces a store with a copy of one of the store's backups, and reopens the store.
  ///
  /// Changes that were saved after the backup are lost. To be able to restore these changes, call
  /// ``backUp(keeping:)`` first.
  ///
  /// The method resets the main context; the reset detaches the context's objects. You can use the
  /// stack as soon as the method returns. Do not use other contexts during the call, and reset all
  /// other contexts afterward. If you call this method on a thread other than the main thread, do
  /// not block the main thread during the call.
  ///
  /// If the backup has an older model version and the store's options allow automatic migration,
  /// the method migrates the restored store.
  ///
  /// - Parameter backup: A backup of one of the stack's stores. The method restores the store whose
  ///   folder `NAME.backups` contains the backup. If there is no such store, the method restores
  ///   the only store whose file has the same name as the file in the backup.
  /// - Throws: The same errors as ``StoreBackups/restore(_:to:)``; the error of
  ///   `addPersistentStore`, such as `CocoaError` 134100, if the backup has another model version
  ///   and cannot be opened; `CocoaError` 134060 if the method cannot determine which store of the
  ///   stack the backup belongs to. After these errors, the store's files are unchanged.
  ///
  ///   The method also throws any error that occurs while the store is closed or reopened. If
  ///   replacing and reopening the store both fail, the store remains closed. The thrown error then
  ///   contains the reopening error under `NSUnderlyingErrorKey` and both errors under
  ///   `NSDetailedErrorsKey`.
  public func restore(_ backup: StoreBackup) throws {
    let store = try store(of: backup)
    try requireOpening(backup, as: store)
    let context = viewContext
    context.performAndWait { context.reset() }
    try reopening(store) { url, _ in
      try StoreBackups(ofStoreAt: url, type: .init(rawValue: store.type)).restore(backup)
    }
  }

  /// Returns the store whose backup folder contains the backup, or the only store with the backup's
  /// name.
  private func store(of backup: StoreBackup) throws -> NSPersistentStore {
    let name = backup.storeURL.lastPathComponent
    let stores = container.persistentStoreCoordinator.persistentStores
      .filter { $0.url?.lastPathComponent == name }
    let own = stores.first { store in
      guard let url = store.url else { return false }
      return StoreBackups(containing: backup.url)?.storeURL.standardizedFileURL
        == url.standardizedFileURL
    }
    guard let store = own ?? (stores.count == 1 ? stores.first : nil) else {
      throw CocoaError(
        .coreData,
        userInfo: [
          NSLocalizedDescriptionKey:
            "The stack has \(stores.isEmpty ? "no" : "more than one") store named \(name). Restore the backup with StoreBackups."
        ])
    }
    return store
  }

  /// Requires that a backup can be opened before it replaces a store. If the backup has another
  /// model version, the method opens a copy of the backup.
  private func requireOpening(_ backup: StoreBackup, as store: NSPersistentStore) throws {
    let type = NSPersistentStore.StoreType(rawValue: store.type)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: type, at: backup.storeURL)
    let model = container.managedObjectModel
    let configuration = store.addedConfigurationName
    guard !model.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata)
    else { return }
    let files = FileManager.default
    let folder = files.temporaryDirectory.appendingPathComponent("restore-\(UUID().uuidString)")
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? files.removeItem(at: folder) }  // The system empties the folder at last.
    let copy = folder.appendingPathComponent(backup.storeURL.lastPathComponent)
    try StoreBackups(ofStoreAt: copy, type: type).restore(backup)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let opened = try coordinator.addPersistentStore(
      ofType: store.type, configurationName: configuration, at: copy, options: store.options)
    try coordinator.remove(opened)
  }
}
