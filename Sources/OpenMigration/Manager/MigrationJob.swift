internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel
internal import OpenStoreContract

/// The location of the source or destination store of a migration, and the options for opening the
/// store.
struct MigrationPlace {
  let url: URL
  /// The type of the store, which the scheme of the URL may determine.
  let type: String
  let options: [AnyHashable: Any]?

  init(url: URL, type: String, options: [AnyHashable: Any]?) {
    self.url = url
    self.type = StoreTypes.type(type, at: url)
    self.options = options
  }
}

/// A call of `migrateStore`, which opens both stores, migrates and saves the objects, and closes
/// the stores.
struct MigrationJob {
  let source: MigrationPlace
  let destination: MigrationPlace

  func run(
    _ manager: NSMigrationManager, _ sourceStack: MigrationStack,
    _ destinationStack: MigrationStack
  ) throws {
    try requireOtherPlace()
    try MappingCheck(manager, manager.mappingModel).run()
    let isNew = try !isPresent(destination)
    if isNew, manager.usesStoreSpecificMigrationManager,
      let migration = try storeMigration(manager, sourceStack, destinationStack)
    {
      return try copy(migration)
    }
    settle(source)
    defer { settle(destination) }
    do {
      try open(manager, sourceStack, destinationStack)
      try sourceStack.context.performAndWait {
        try destinationStack.context.performAndWait {
          var run = try MigrationRun(manager)
          try run.run()
          try requireRead(sourceStack)
          try save(sourceStack, destinationStack, isNew: isNew)
        }
      }
    } catch {
      // The first error is more useful than an error of closing the stores.
      try? destinationStack.close()
      try? sourceStack.close()
      manager.reset()
      if isNew { removeDestination(destinationStack) }
      throw error
    }
    manager.reset()
    try destinationStack.close()
    try sourceStack.close()
  }

  /// Returns whether there is a store. The metadata is read if the store has no file.
  private func isPresent(_ place: MigrationPlace) throws -> Bool {
    if place.url.isFileURL { return FileManager.default.fileExists(atPath: place.url.path) }
    let files = try StoreTypes.opener(of: place.type).files
    do throws(StoreError) {
      return try files?.metadata(StoreConfiguration(url: place.url, options: place.options)) != nil
    } catch {
      if error.code == .missingFile { return false }
      throw CocoaError.surfaced(error)
    }
  }

  /// Merges a store's write-ahead log into its file, so that the log is never combined with another
  /// file.
  ///
  /// Does nothing if another process uses the store; the store can still be read.
  private func settle(_ place: MigrationPlace) {
    guard place.url.isFileURL, FileManager.default.fileExists(atPath: place.url.path) else {
      return
    }
    try? StoreTypes.opener(of: place.type).files?.settle(
      StoreConfiguration(url: place.url))
  }

  // MARK: By the store

  /// Returns the migration that both stores can execute without objects, or nil if the mapping is
  /// not an inferred mapping.
  private func storeMigration(
    _ manager: NSMigrationManager, _ sourceStack: MigrationStack,
    _ destinationStack: MigrationStack
  ) throws -> (StoreTypes.MigrationOperations.Copying, LightweightMigration)? {
    guard source.type == destination.type,
      let copying = try StoreTypes.opener(of: source.type).files?.migration?.migrateCopy,
      MappingComparison(manager.mappingModel).isInferred(
        from: sourceStack.model, to: destinationStack.model)
    else { return nil }
    return (
      copying,
      try LightweightMigration(sourceStack.model, to: try destinationStack.model.usable())
    )
  }

  private func copy(
    _ migration: (StoreTypes.MigrationOperations.Copying, LightweightMigration)
  ) throws {
    let from = StoreConfiguration(url: source.url, options: source.options)
    let to = StoreConfiguration(url: destination.url, options: destination.options)
    do {
      try migration.1.run { (transition) throws(StoreError) in
        try migration.0(from, to, transition, nil)
      }
    } catch let error as CocoaError {
      throw unopened(error) ?? error
    }
  }

  /// Returns the error for a store that cannot be opened, or nil if the migration by the store
  /// failed for another reason.
  private func unopened(_ error: CocoaError) -> CocoaError? {
    guard let cause = error.userInfo[OpenStoreErrorKey] as? StoreError else { return nil }
    let isOfSource: Bool
    switch cause.code {
    case .foreignFile, .incompatibleSchema:
      // The destination does not exist yet, so the file is the source.
      isOfSource = true
    case .missingFile, .missingFolder, .permission, .obstructed, .corrupt:
      isOfSource = cause.path == StorePath.resolved(source.url.path)
      guard isOfSource || cause.path == StorePath.resolved(destination.url.path) else {
        return nil
      }
    default: return nil
    }
    let underlying: any Error = (error.userInfo[NSUnderlyingErrorKey] as? any Error) ?? error
    return isOfSource
      ? Self.unopened(source, NSMigrationManagerSourceStoreError, "source", underlying)
      : Self.unopened(
        destination, NSMigrationManagerDestinationStoreError, "destination", underlying)
  }

  private static func unopened(
    _ place: MigrationPlace, _ code: Int, _ role: String, _ error: any Error
  ) -> CocoaError {
    CocoaError.make(
      CocoaError.Code(rawValue: code),
      "The \(role) of the migration cannot be opened: \(error.localizedDescription)",
      path: place.url.path, userInfo: [NSUnderlyingErrorKey: error])
  }

  // MARK: By objects

  private func requireOtherPlace() throws {
    guard Self.resolved(source.url) == Self.resolved(destination.url) else { return }
    throw CocoaError.make(
      CocoaError.Code(rawValue: NSMigrationManagerDestinationStoreError),
      "The source and the destination are the same store. Specify another URL for the new store.",
      path: source.url.path)
  }

  /// Returns the URL with symbolic links resolved.
  private static func resolved(_ url: URL) -> URL {
    (url.isFileURL ? url.resolvingSymlinksInPath() : url).standardizedFileURL
  }

  private func open(
    _ manager: NSMigrationManager, _ sourceStack: MigrationStack,
    _ destinationStack: MigrationStack
  ) throws {
    var options = source.options ?? [:]
    options[NSReadOnlyPersistentStoreOption] = true
    try add(source, options, to: sourceStack, NSMigrationManagerSourceStoreError, "source")
    try add(
      destination, try destinationOptions(sourceStack), to: destinationStack,
      NSMigrationManagerDestinationStoreError, "destination")
  }

  /// Returns the options of the destination.
  ///
  /// If the destination receives the identifier of the source, its history continues the numbers of
  /// the source, so that no token of the source is valid for the destination.
  private func destinationOptions(_ sourceStack: MigrationStack) throws -> [AnyHashable: Any]? {
    guard var options = destination.options,
      let identifier = options[OpenNewStoreIdentifierOption] as? String,
      let backend = sourceStack.coordinator.persistentStores.first?.backend,
      backend.identifier == identifier, let store = backend as? any StoreNumbering
    else { return destination.options }
    do throws(StoreError) {
      options[OpenHistoryBaseOption] = NSNumber(value: try store.successorHistoryBase())
    } catch {
      throw CocoaError.surfaced(error)
    }
    return options
  }

  private func add(
    _ place: MigrationPlace, _ options: [AnyHashable: Any]?, to stack: MigrationStack,
    _ code: Int, _ role: String
  ) throws {
    var options = options
    options?[NSMigratePersistentStoresAutomaticallyOption] = nil
    do {
      try stack.coordinator.addPersistentStore(
        ofType: place.type, configurationName: nil, at: place.url, options: options)
    } catch {
      throw Self.unopened(place, code, role, error)
    }
  }

  /// Requires that all values of the source were read. Values that cannot be read would be lost.
  private func requireRead(_ stack: MigrationStack) throws {
    do { try stack.context.throwDeferredErrors() } catch {
      throw CocoaError.migration(
        "Objects of the source cannot be read: \(error.localizedDescription)", error)
    }
  }

  private func save(
    _ sourceStack: MigrationStack, _ destinationStack: MigrationStack, isNew: Bool
  ) throws {
    if isNew, let old = sourceStack.coordinator.persistentStores.first,
      let new = destinationStack.coordinator.persistentStores.first
    {
      new.metadata = MetadataList.withoutHistory(old.metadata ?? [:])
        .merging(new.metadata ?? [:]) { _, own in own }
    }
    do {
      try destinationStack.context.save()
    } catch let error as CocoaError where error.code == .managedObjectConstraintMerge {
      throw CocoaError.make(
        CocoaError.Code(rawValue: NSMigrationConstraintViolationError),
        "Objects violate a uniqueness constraint of the new model: \(error.localizedDescription)",
        userInfo: [NSUnderlyingErrorKey: error])
    } catch {
      throw CocoaError.migration(
        "The migrated objects cannot be saved: \(error.localizedDescription)", error)
    }
  }

  private func removeDestination(_ stack: MigrationStack) {
    // A failed migration leaves no destination. A file that cannot be removed is not a usable
    // store.
    try? stack.coordinator.destroyPersistentStore(
      at: destination.url, ofType: destination.type, options: destination.options)
    if destination.url.isFileURL { try? FileManager.default.removeItem(at: destination.url) }
  }
}
