internal import Foundation
internal import OpenCoreData
internal import OpenObjectGraph
internal import OpenObjectModel

/// Opens the stores of one container.
struct ContainerOpening {
  private let schema: Schema
  private let plan: (any SchemaMigrationPlan.Type)?
  private let configurations: [ModelConfiguration]
  private let customs: [any DataStoreConfiguration]

  /// Checks the configurations of the stores.
  ///
  /// - Throws: `SwiftDataError` if the configurations contradict each other or the schema; the
  ///   error of a configuration's own validation.
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
    var names: Set<String> = []
    let all = configurations.map { ($0.modelName, $0.name) } + customs.map { ($0.name, $0.name) }
    for (modelName, name) in all {
      guard names.insert(modelName).inserted else {
        throw SwiftDataError(
          .duplicateConfiguration,
          "Two configurations have the name \(name). Give each configuration a different name.")
      }
    }
    for configuration in customs {
      try configuration.validate()
      try checkSchema(configuration.schema, of: configuration.name)
    }
    var urls: Set<String> = []
    for configuration in configurations {
      try configuration.validate()
      configuration.logIgnored()
      let place = Self.place(of: configuration.url)
      guard configuration.isStoredInMemoryOnly || urls.insert(place).inserted else {
        throw SwiftDataError(
          .duplicateConfiguration, "Two configurations have the same file, \(place).")
      }
      try checkSchema(configuration.schema, of: configuration.name)
    }
  }

  /// Returns the path of a file, with symbolic links resolved. The file does not have to exist.
  private static func place(of url: URL) -> String {
    // Links in the folder's path are resolved separately, because the file may not exist.
    url.deletingLastPathComponent().resolvingSymlinksInPath()
      .appendingPathComponent(url.lastPathComponent).resolvingSymlinksInPath()
      .standardizedFileURL.path
  }

  private func checkSchema(_ part: Schema?, of name: String) throws {
    for entity in part?.entities ?? [] where schema.entitiesByName[entity.name] == nil {
      throw SwiftDataError(
        .configurationSchemaNotFoundInContainerSchema,
        "The configuration \(name) contains the model \(entity.name), which is not in the container's schema."
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
        try StoreAddition(configuration, of: schema, isAlone: isAlone, plan, model)
          .run(coordinator)
      }
      // The versions of the migration plan have registered classes with the same names.
      try schema.register(model)
      let addition = CustomStoreAddition(schema, isAlone: isAlone)
      return (coordinator, try customs.map { try addition.run($0, coordinator) })
    } catch let error as SwiftDataError where error.kind == .backwardMigration {
      throw error
    } catch {
      throw SwiftDataError(
        .loadIssueModelContainer, "The container could not be loaded.", error)
    }
  }

  /// Returns the managed object model of the schema. With several stores, the model has a
  /// configuration for each store.
  private func configuredModel() throws -> NSManagedObjectModel {
    guard !isAlone else { return try schema.managedObjectModel() }
    return try schema.managedObjectModel(withConfigurations: entityNames)
  }

  /// The names of the entities in each configuration, by the name of the configuration.
  ///
  /// Entities that no configuration lists belong to the first configuration that allows saves, or
  /// to the only configuration.
  private var entityNames: [String: [String]] {
    var names: [String: [String]] = [:]
    let kept =
      configurations.map { ($0.modelName, $0.schema) } + customs.map { ($0.name, $0.schema) }
    for (name, part) in kept { names[name] = (part ?? schema).entities.map(\.name) }
    let known = Set(names.values.joined())
    let others = schema.entities.map(\.name).filter { !known.contains($0) }
    let first = configurations.first { $0.allowsSave } ?? configurations.first
    if let name = first?.modelName ?? customs.first?.name { names[name, default: []] += others }
    return names
  }
}
