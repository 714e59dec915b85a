internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// Opens a store, after migrating the store if this is necessary and the options request migration.
struct MigratingOpening {
  let type: String
  let configuration: StoreConfiguration
  let options: [AnyHashable: Any]
  let model: CompiledModel
  let opener: StoreTypes.Opener

  func open() throws -> any StoreBackend {
    do throws(StoreError) {
      if begunStage == nil {
        let store = try opener.open(configuration, model)
        // Another coordinator may have migrated the store without having run the handler of the
        // last stage yet.
        if begunStage == nil { return store }
        store.close()
      }
    } catch {
      try requireMigration(after: error)
    }
    guard let exclude = opener.files?.excludeMigrations else { return try openOrMigrate() }
    do {
      return try exclude(configuration, openOrMigrate)
    } catch let error as StoreError {
      throw CocoaError.make(error)
    }
  }

  /// Opens the store. If another coordinator or process has not migrated the store since the last
  /// attempt, the method first migrates the store.
  private func openOrMigrate() throws -> any StoreBackend {
    if let begunStage { try StoreTypes.migrator?.resume(begunStage) }
    do throws(StoreError) {
      return try opener.open(configuration, model)
    } catch {
      try requireMigration(after: error)
      return try opened(afterMigrationFor: error)
    }
  }

  /// Throws an error if an attempt to open the store failed for another reason than the store's
  /// model version, or if the store cannot be migrated.
  private func requireMigration(after error: StoreError) throws {
    guard error.underlying is ModelVersionMismatch else { throw CocoaError.make(error) }
    guard isOn(NSMigratePersistentStoresAutomaticallyOption), StoreTypes.migrator != nil,
      place != nil
    else { throw mismatch(error, "") }
    guard !configuration.isReadOnly else {
      throw mismatch(error, " The store is opened for reading only, so it cannot be migrated.")
    }
  }

  private func opened(afterMigrationFor error: StoreError) throws -> any StoreBackend {
    guard let migrator = StoreTypes.migrator, let request = try request() else {
      throw mismatch(error, "")
    }
    do { try migrator.migrate(request) } catch {
      // Another process that shares a server's store may have migrated the store meanwhile.
      if !opener.schemes.isEmpty, let store = try? opener.open(configuration, model) {
        return store
      }
      throw error
    }
    do throws(StoreError) {
      return try opener.open(configuration, model)
    } catch {
      throw CocoaError.make(error)
    }
  }

  private func isOn(_ option: String) -> Bool {
    (options[option] as? NSNumber)?.boolValue ?? false
  }

  /// The URL and the file operations of the store; nil if the store does not exist.
  private var place: (url: URL, files: StoreTypes.FileOperations)? {
    guard let url = configuration.url, let files = opener.files,
      !url.isFileURL || FileManager.default.fileExists(atPath: url.path)
    else { return nil }
    return (url, files)
  }

  /// The request for the store's migration; nil if the store does not exist.
  private func request() throws -> StoreMigrationRequest? {
    guard let place else { return nil }
    return try StoreMigrationRequest(
      type: type, url: place.url, configuration: configuration, options: options, model: model,
      files: place.files)
  }

  /// The request for a store with an incomplete migration stage; nil if there is no such stage.
  ///
  /// Either a killed process left the stage incomplete, or another coordinator is migrating the
  /// store.
  private var begunStage: StoreMigrationRequest? {
    guard isOn(NSMigratePersistentStoresAutomaticallyOption),
      options[NSPersistentStoreStagedMigrationManagerOptionKey] != nil,
      // A file without metadata, such as that of a destroyed store, has no stage to resume; opening
      // the file reports errors.
      let request = try? request(), StoreTypes.migrator?.hasBegunStage(request) == true
    else { return nil }
    return request
  }

  /// The error for a store of another model version, with Apple's text as the reason.
  private func mismatch(_ error: StoreError, _ note: String) -> CocoaError {
    let metadata = configuration.url.flatMap { url in
      // The metadata is optional information in the error.
      try? opener.files?.metadata(StoreConfiguration(url: url))
    }
    return CocoaError.make(
      CocoaError.Code(rawValue: NSPersistentStoreIncompatibleVersionHashError),
      "\(error)\(note)", path: error.path,
      userInfo: [
        OpenStoreErrorKey: error, "metadata": metadata ?? [:],
        "URL": configuration.url?.withoutPasswords as Any,
        "reason":
          "The model used to open the store is incompatible with the one used to create the store",
      ])
  }
}
