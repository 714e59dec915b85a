internal import Foundation
internal import OpenCoreData
internal import OpenObjectGraph
internal import OpenObjectModel
internal import OpenStoreContract

/// Adds the store of one configuration, and migrates it before where it is of another version.
struct StoreAddition {
  private let configuration: ModelConfiguration
  /// The models of the container.
  private let schema: Schema
  private let isAlone: Bool
  private let plan: PlanMigration?
  private let model: NSManagedObjectModel

  /// - Parameters:
  ///   - schema: The models of the container.
  ///   - isAlone: Whether the store is the container's only one.
  ///   - plan: The container's plan.
  ///   - model: The container's model, which names the entities of each configuration.
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
    if !configuration.hasOwnURL, !configuration.isStoredInMemoryOnly {
      try UserFolders.make(configuration.url.deletingLastPathComponent())
    }
    guard migrates else { return try add(to: coordinator, [:]) }
    guard let plan, plan.hasStages else { return try add(to: coordinator, inferringOptions()) }
    if isAlone { return try add(to: coordinator, plan) }
    try migrateApart(plan)
    try add(to: coordinator, inferringOptions())
  }

  private var migrates: Bool { configuration.allowsSave && !configuration.isStoredInMemoryOnly }

  private func add(
    to coordinator: NSPersistentStoreCoordinator, _ migration: [AnyHashable: Any]
  ) throws {
    var options: [AnyHashable: Any] = [
      NSPersistentHistoryTrackingKey: true,
      NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
      NSReadOnlyPersistentStoreOption: !configuration.allowsSave,
      OpenTextIndexOption: configuration.indexesText,
    ]
    if let timeout = configuration.timeout {
      options[NSPersistentStoreTimeoutOption] = NSNumber(value: timeout)
    }
    if let observer = configuration.statementObserver {
      options[OpenStatementObserverOption] = observer
    }
    options.merge(migration) { $1 }
    _ = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: configurationName,
      at: configuration.url, options: options)
  }

  private var configurationName: String? { isAlone ? nil : configuration.name }

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
      throw storeMetadata().flatMap { plan.mismatch($0, configuration.url, model, error) }
        ?? error
    }
  }

  /// Migrates one of several stores by the parts of the plan's versions that it keeps.
  ///
  /// The store is opened without the others, because the versions that it goes through have its models only. The first opening uses
  /// the version that the store has: the file still numbers its entities together with those of the other stores.
  private func migrateApart(_ plan: PlanMigration) throws {
    guard let metadata = storeMetadata() else { return }
    let isCurrent = model.isConfiguration(
      withName: configurationName, compatibleWithStoreMetadata: metadata)
    if isCurrent, !NSStagedMigrationManager.hasBegunStage(in: metadata) { return }
    let members = model.entities(forConfigurationName: configuration.name) ?? []
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

  /// Opens the store alone with a model, and closes it.
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

  /// The model that an existing store of another version keeps.
  ///
  /// Without stages it counts as one that the program knows: what the schema does not have any more is dropped, as Apple's
  /// lightweight migration does, and named in the log.
  ///
  /// - Throws: ``SwiftDataError/backwardMigration`` for a store whose schema has a greater version number.
  private func keptModel() throws -> NSManagedObjectModel? {
    guard let metadata = storeMetadata(),
      !model.isConfiguration(
        withName: configurationName, compatibleWithStoreMetadata: metadata)
    else { return nil }
    let stored = StoredVersion(metadata, at: configuration.url)
    if let number = stored.number, let own = StoredVersion.number(of: model), own < number {
      throw stored.isNewer(than: own)
    }
    let files = try StoreTypes.opener(of: NSSQLiteStoreType).files
    return try files?.model(StoreConfiguration(url: configuration.url))
  }

  /// The metadata of the store; nil where there are none, as in a new file and in that of an erased container.
  ///
  /// What else is wrong with the file is thrown when it is opened.
  private func storeMetadata() -> [String: Any]? {
    let url = configuration.url
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    return try? NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
  }
}
