internal import Foundation
internal import OpenCoreData
internal import OpenMigration
internal import OpenObjectGraph
internal import OpenObjectModel
internal import OpenStoreContract

/// Adds the store of one configuration to a coordinator, and migrates a store of another version
/// first.
struct StoreAddition {
  private let configuration: ModelConfiguration
  /// The models of the container.
  private let schema: Schema
  private let isAlone: Bool
  private let plan: PlanMigration?
  private let model: NSManagedObjectModel

  /// Creates the addition of one store.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the store.
  ///   - schema: The models of the container.
  ///   - isAlone: Whether the container has no other store.
  ///   - plan: The migration plan of the container.
  ///   - model: The container's managed object model, with the entities of each configuration.
  init(
    _ configuration: ModelConfiguration, of schema: Schema, isAlone: Bool, _ plan: PlanMigration?,
    _ model: NSManagedObjectModel
  ) {
    self.configuration = configuration
    self.schema = schema
    self.isAlone = isAlone
    self.plan = plan
    self.model = model
  }

  func run(_ coordinator: NSPersistentStoreCoordinator) throws {
    try makeFolder()
    guard migrates else { return try add(to: coordinator, [:]) }
    guard let plan, plan.hasStages else { return try add(to: coordinator, inferringOptions()) }
    if isAlone { return try add(to: coordinator, plan) }
    try migrateApart(plan)
    try add(to: coordinator, inferringOptions())
  }

  /// Creates the folder of the store. The folder of a read-only store at a given URL must exist.
  private func makeFolder() throws {
    if configuration.isStoredInMemoryOnly { return }
    let folder = configuration.url.deletingLastPathComponent()
    if !configuration.hasOwnURL { return try UserFolders.make(folder) }
    guard configuration.allowsSave, configuration.url.isFileURL else { return }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private var migrates: Bool { configuration.allowsSave && !configuration.isStoredInMemoryOnly }

  private func add(
    to coordinator: NSPersistentStoreCoordinator, _ migration: [AnyHashable: Any]
  ) throws {
    var options: [AnyHashable: Any] = [
      NSPersistentHistoryTrackingKey: true,
      NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
      NSReadOnlyPersistentStoreOption: opensReadOnly,
      OpenTextIndexOption: configuration.indexesText,
    ]
    if let timeout = configuration.timeout {
      options[NSPersistentStoreTimeoutOption] = NSNumber(value: timeout)
    }
    if let observer = configuration.statementObserver {
      options[OpenStatementObserverOption] = observer
    }
    options.merge(migration) { $1 }
    do {
      let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: configurationName,
        at: configuration.url, options: options)
      if !configuration.allowsSave { store.isReadOnly = true }
    } catch let error as CocoaError {
      throw error.inferenceFailure ?? error
    }
  }

  /// Whether the store is opened for reading only. The tables of an in-memory store are created
  /// when the store is opened, so such a store becomes read-only afterwards.
  private var opensReadOnly: Bool {
    !configuration.allowsSave && !configuration.isStoredInMemoryOnly
  }

  private var configurationName: String? { isAlone ? nil : configuration.modelName }

  // MARK: With a plan

  private func add(to coordinator: NSPersistentStoreCoordinator, _ plan: PlanMigration) throws {
    do {
      try add(
        to: coordinator,
        [
          NSMigratePersistentStoresAutomaticallyOption: true,
          NSInferMappingModelAutomaticallyOption: true,
          NSPersistentStoreStagedMigrationManagerOptionKey: plan.manager(),
          OpenModelVersionsOption: plan.models,
        ])
    } catch let error as CocoaError {
      // The metadata is needed only for a more specific error.
      let metadata = try? storeMetadata()
      throw metadata.flatMap { plan.mismatch($0, configuration.url, model, error) } ?? error
    }
  }

  /// Migrates one of several stores with a plan that is reduced to the store's entities.
  ///
  /// The method opens the store in a separate coordinator, because the versions of the reduced plan
  /// contain only the entities of this store. The method first opens the store with the version
  /// that the store has, because the entity numbers in the file still include the entities of the
  /// other stores.
  private func migrateApart(_ plan: PlanMigration) throws {
    guard let metadata = try storeMetadata() else { return }
    let isCurrent = model.isConfiguration(
      withName: configurationName, compatibleWithStoreMetadata: metadata)
    if isCurrent, !NSStagedMigrationManager.hasBegunStage(in: metadata) { return }
    let members = model.entities(forConfigurationName: configuration.modelName) ?? []
    let names = Set(members.compactMap(\.name))
    let stored = NSManagedObjectModel.versionHashes(in: metadata) ?? [:]
    let part = try plan.part { name in
      names.contains(name) || model.entitiesByName[name] == nil && stored[name] != nil
    }
    let own = try schema.part { names.contains($0) }.managedObjectModel()
    if let version = part.model(fitting: metadata) {
      try open(version) { try $0.add(to: $1, $0.inferringOptions()) }
    }
    try open(own) { try $0.add(to: $1, part) }
  }

  /// Opens the store with a model in a separate coordinator, and closes it.
  private func open(
    _ model: NSManagedObjectModel,
    _ add: (StoreAddition, NSPersistentStoreCoordinator) throws -> Void
  ) throws {
    let coordinator = NSPersistentStoreCoordinator(model, objectClass: __ModelObject.self)
    try add(StoreAddition(configuration, of: schema, isAlone: true, nil, model), coordinator)
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  // MARK: Without stages

  private func inferringOptions() throws -> [AnyHashable: Any] {
    var options: [AnyHashable: Any] = [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true,
    ]
    if let kept = try keptModel() { options[OpenModelVersionsOption] = [kept] }
    return options
  }

  /// Returns the model that an existing store of another version contains; `nil` if the store has
  /// the current version.
  ///
  /// Without stages, the program may migrate from this model. Entities and properties that the
  /// schema no longer has are dropped and named in the log, as in Apple's lightweight migration.
  ///
  /// - Throws: ``SwiftDataError/backwardMigration`` if the store has a greater version number than
  ///   the schema; `CocoaError` if the store cannot be read.
  private func keptModel() throws -> NSManagedObjectModel? {
    guard let metadata = try storeMetadata(),
      !model.isConfiguration(
        withName: configurationName, compatibleWithStoreMetadata: metadata)
    else { return nil }
    let stored = StoredVersion(metadata, at: configuration.url)
    if let number = stored.number, let own = StoredVersion.number(of: model), own < number {
      throw stored.isNewer(than: own)
    }
    let files = try StoreTypes.opener(of: NSSQLiteStoreType).files
    let kept = try files?.model(StoreConfiguration(url: configuration.url))
    if let kept { logLosses(of: kept, metadata) }
    return kept
  }

  /// Logs the entities and properties of the store that the schema no longer has.
  private func logLosses(of kept: NSManagedObjectModel, _ metadata: [String: Any]) {
    let stored = NSManagedObjectModel.versionHashes(in: metadata) ?? [:]
    let losses = ModelLosses(from: kept, to: model).names.filter { name in
      stored[String(name.prefix { $0 != "." })] != nil
    }
    if losses.isEmpty { return }
    GraphLog.notice(
      "If the migration of the store \(configuration.url.path) succeeds, it drops what the schema no longer has: "
        + losses.joined(separator: ", "))
  }

  /// Returns the metadata of the store; `nil` for a store without metadata, such as a new file or
  /// the file of an erased container.
  ///
  /// For a file that is not a store, the method also returns `nil`, because opening the store
  /// reports the reason.
  ///
  /// - Throws: `CocoaError` if the file is damaged or cannot be read.
  private func storeMetadata() throws -> [String: Any]? {
    let url = configuration.url
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    do {
      return try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    } catch let error as CocoaError {
      // In an empty database, the statement that reads the metadata fails.
      let codes: [StoreError.Code] = [.missingFile, .foreignFile, .statement]
      guard let code = (error.userInfo[OpenStoreErrorKey] as? StoreError)?.code,
        codes.contains(code)
      else { throw error }
      return nil
    }
  }
}

extension CocoaError {
  /// The error that states why no mapping can be inferred; `nil` if this error has another cause.
  fileprivate var inferenceFailure: CocoaError? {
    let cause = userInfo[NSUnderlyingErrorKey] as? CocoaError
    return cause?.code == .inferredMappingModel ? cause : nil
  }
}
