internal import Foundation
internal import OpenCoreData
internal import OpenObjectGraph
internal import OpenObjectModel
internal import OpenStoreContract

/// Opens the stores of one container.
struct ContainerOpening {
  private let schema: Schema
  private let plan: (any SchemaMigrationPlan.Type)?
  private let configurations: [ModelConfiguration]
  private let customs: [any DataStoreConfiguration]

  /// - Throws: `SwiftDataError` for configurations that contradict each other or the schema.
  init(
    _ schema: Schema, _ plan: (any SchemaMigrationPlan.Type)?,
    _ configurations: [ModelConfiguration], customs: [any DataStoreConfiguration] = []
  ) throws {
    self.customs = customs
    self.schema = schema
    self.plan = plan
    self.configurations = configurations
    try check()
  }

  private func check() throws {
    var names = Set(configurations.map(\.name))
    for configuration in customs {
      try configuration.validate()
      try checkSchema(configuration.schema, of: configuration.name)
      guard names.insert(configuration.name).inserted else {
        throw SwiftDataError(
          .duplicateConfiguration, "Two configurations have the name \(configuration.name).")
      }
    }
    var urls: Set<String> = []
    for configuration in configurations {
      try configuration.validate()
      configuration.logIgnored()
      let place = configuration.url.standardizedFileURL.path
      guard configuration.isStoredInMemoryOnly || urls.insert(place).inserted else {
        throw SwiftDataError(
          .duplicateConfiguration, "Two configurations have the same file, \(place).")
      }
      try checkSchema(configuration.schema, of: configuration.name)
    }
  }

  private func checkSchema(_ part: Schema?, of name: String) throws {
    for entity in part?.entities ?? [] where schema.entitiesByName[entity.name] == nil {
      throw SwiftDataError(
        .configurationSchemaNotFoundInContainerSchema,
        "The configuration \(name) has the model \(entity.name), which the container's schema does not have."
      )
    }
  }

  private var isAlone: Bool { configurations.count + customs.count == 1 }

  func open() throws -> (
    coordinator: NSPersistentStoreCoordinator, customStores: [any DataStore]
  ) {
    BuiltInStores.register()
    do {
      let model = try configuredModel()
      let coordinator = NSPersistentStoreCoordinator(model, objectClass: __ModelObject.self)
      let plan = try plan.map { try PlanMigration($0) }
      for configuration in configurations {
        try StoreAddition(configuration, isAlone: isAlone, plan, model).run(coordinator)
      }
      let addition = CustomStoreAddition(schema, isAlone: isAlone)
      return (coordinator, try customs.map { try addition.run($0, coordinator) })
    } catch {
      throw SwiftDataError(
        .loadIssueModelContainer, "The container could not be loaded.", error)
    }
  }

  /// The schema's model; with several configurations, one that says which entities are in which.
  private func configuredModel() throws -> NSManagedObjectModel {
    guard !isAlone else { return try schema.managedObjectModel() }
    var entities: [String: [String]] = [:]
    for configuration in configurations {
      entities[configuration.name] = (configuration.schema ?? schema).entities.map(\.name)
    }
    for configuration in customs {
      entities[configuration.name] = (configuration.schema ?? schema).entities.map(\.name)
    }
    return try schema.managedObjectModel(withConfigurations: entities)
  }
}

/// Adds the store of one configuration.
struct StoreAddition {
  private let configuration: ModelConfiguration
  private let isAlone: Bool
  private let plan: PlanMigration?
  private let model: NSManagedObjectModel

  init(
    _ configuration: ModelConfiguration, isAlone: Bool, _ plan: PlanMigration?,
    _ model: NSManagedObjectModel
  ) {
    self.configuration = configuration
    self.isAlone = isAlone
    self.plan = plan
    self.model = model
  }

  func run(_ coordinator: NSPersistentStoreCoordinator) throws {
    let url = configuration.url
    if !configuration.hasOwnURL, !configuration.isStoredInMemoryOnly {
      try UserFolders.make(url.deletingLastPathComponent())
    }
    var options: [AnyHashable: Any] = [
      NSPersistentHistoryTrackingKey: true,
      NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
      NSReadOnlyPersistentStoreOption: !configuration.allowsSave,
    ]
    if configuration.allowsSave, !configuration.isStoredInMemoryOnly {
      options[NSMigratePersistentStoresAutomaticallyOption] = true
      options[NSInferMappingModelAutomaticallyOption] = true
      if let plan {
        options[NSPersistentStoreStagedMigrationManagerOptionKey] = try plan.manager()
        options[OpenModelVersionsOption] = plan.models
      } else if let kept = try keptModel() {
        options[OpenModelVersionsOption] = [kept]
      }
    }
    _ = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: isAlone ? nil : configuration.name, at: url,
      options: options)
  }

  /// The metadata of a store; nil where there is none, as in the empty database that an erased store leaves.
  private static func metadata(at url: URL) throws -> [String: Any]? {
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    do {
      return try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    } catch let error as CocoaError {
      // Whether a store may be made there is found out when it is added.
      let cause = error.userInfo[OpenStoreErrorKey] as? StoreError
      if cause?.code == .foreignFile { return nil }
      throw error
    }
  }

  /// The model that an existing store of another version keeps.
  ///
  /// Without a plan it counts as one that the program knows: what the schema does not have any more is dropped, as Apple's
  /// lightweight migration does, and named in the log.
  ///
  /// - Throws: ``SwiftDataError/backwardMigration`` for a store whose schema has a greater version number.
  private func keptModel() throws -> NSManagedObjectModel? {
    let url = configuration.url
    guard let metadata = try Self.metadata(at: url) else { return nil }
    let name = isAlone ? nil : configuration.name
    guard !model.isConfiguration(withName: name, compatibleWithStoreMetadata: metadata) else {
      return nil
    }
    try requireNoNewerVersion(metadata)
    let files = try StoreTypes.opener(of: NSSQLiteStoreType).files
    return try files?.model(StoreConfiguration(url: url))
  }

  private func requireNoNewerVersion(_ metadata: [String: Any]) throws {
    guard let texts = metadata[NSStoreModelVersionIdentifiersKey] as? [String],
      let stored = texts.compactMap({ Schema.Version(text: $0) }).max(),
      let own = model.versionIdentifiers.compactMap({
        ($0 as? String).flatMap { Schema.Version(text: $0) }
      }).max(), stored > own
    else { return }
    throw SwiftDataError(
      .backwardMigration,
      "The store is of version \(stored) of the schema, and the program knows \(own). Open it with the newer program."
    )
  }
}
