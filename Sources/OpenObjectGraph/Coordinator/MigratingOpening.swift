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
      _ = try migration(after: error)
    }
    guard let exclude = opener.files?.excludeMigrations else { return try openOrMigrate() }
    do {
      let endExclusion = try exclude(configuration)
      defer { endExclusion() }
      return try openOrMigrate()
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
      let (migrator, place) = try migration(after: error)
      return try opened(after: migrator, request(at: place))
    }
  }

  /// Returns the means to migrate the store after an attempt to open the store failed.
  ///
  /// - Throws: An error if the attempt failed for another reason than the store's model version, or
  ///   if the store cannot be migrated.
  private func migration(
    after error: StoreError
  ) throws -> (migrator: any StoreMigrating, place: Place) {
    guard error.underlying is ModelVersionMismatch else { throw CocoaError.make(error) }
    guard isOn(NSMigratePersistentStoresAutomaticallyOption), let migrator = StoreTypes.migrator,
      let place
    else { throw mismatch(error, "") }
    guard !configuration.isReadOnly else {
      throw mismatch(error, " The store is opened for reading only, so it cannot be migrated.")
    }
    return (migrator, place)
  }

  private func opened(
    after migrator: any StoreMigrating, _ request: StoreMigrationRequest
  ) throws -> any StoreBackend {
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

  private typealias Place = (url: URL, files: StoreTypes.FileOperations)

  /// The URL and the file operations of the store; nil if the store does not exist.
  private var place: Place? {
    guard let url = configuration.url, let files = opener.files,
      !url.isFileURL || FileManager.default.fileExists(atPath: url.path)
    else { return nil }
    return (url, files)
  }

  /// Returns the request for the store's migration.
  private func request(at place: Place) throws -> StoreMigrationRequest {
    try StoreMigrationRequest(
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
      let place, let request = try? request(at: place),
      StoreTypes.migrator?.hasBegunStage(request) == true
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
