internal import Foundation
internal import OpenCoreData
internal import OpenObjectGraph
internal import OpenObjectModel
internal import Synchronization

/// An object that opens the stores of a schema and provides contexts.
///
/// > Concurrency: Any thread. Only the main actor uses ``mainContext``.
/// > Reference: Apple, ModelContainer.
// Invariant of the unchecked conformance: the container is immutable after its creation, except for
// the main context, which only the main actor uses. Contexts share the custom stores, which must be
// usable on any thread.
public class ModelContainer: Equatable, CustomDebugStringConvertible, @unchecked Sendable {
  /// The models that the container stores.
  public let schema: Schema
  /// The plan that migrates stores of older versions; `nil` for migrations with inferred mappings.
  public let migrationPlan: (any SchemaMigrationPlan.Type)?
  /// The configurations of the default stores. Custom stores are not included.
  public let configurations: Set<ModelConfiguration>
  let coordinator: NSPersistentStoreCoordinator
  let remoteChanges: RemoteChanges
  /// The custom stores of the container.
  let customStores: [any DataStore]
  private var announcement: NotificationToken?
  @MainActor private var main: ModelContext?

  /// Opens stores for models and for the models that their relationships lead to.
  ///
  /// - Parameters:
  ///   - types: The models.
  ///   - migrationPlan: The versions of the schema and the migrations between them.
  ///   - configurations: The configurations of the stores; if empty, the container has one store in
  ///     the default location.
  /// - Throws: The same errors as ``init(for:migrationPlan:configurations:)``.
  public convenience init(
    for types: any PersistentModel.Type...,
    migrationPlan: (any SchemaMigrationPlan.Type)? = nil, configurations: ModelConfiguration...
  ) throws {
    try self.init(
      for: Schema(types), migrationPlan: migrationPlan, configurations: configurations)
  }

  /// Opens the stores of a schema.
  ///
  /// - Parameters:
  ///   - schema: The models.
  ///   - migrationPlan: The versions of the schema and the migrations between them.
  ///   - configurations: The configurations of the stores; if empty, the container has one store in
  ///     the default location.
  /// - Throws: `SwiftDataError.loadIssueModelContainer` with the cause in `underlyingError`, if the
  ///   schema is invalid or a store cannot be opened or migrated; `.backwardMigration` if a store
  ///   has a newer version; the errors of invalid configurations.
  public convenience init(
    for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws {
    try self.init(for: schema, migrationPlan: migrationPlan, configurations: configurations)
  }

  /// Opens the stores of a schema, with an array of configurations.
  ///
  /// Stores of older versions are migrated with the plan. Without a plan, they are migrated with an
  /// inferred mapping.
  ///
  /// - Parameters:
  ///   - schema: The models.
  ///   - migrationPlan: The versions of the schema and the migrations between them.
  ///   - configurations: The configurations of the stores; if empty, the container has one store in
  ///     the default location.
  /// - Throws: `SwiftDataError.loadIssueModelContainer` with the cause in `underlyingError`, if the
  ///   schema is invalid or a store cannot be opened or migrated; `.backwardMigration` if a store
  ///   has a greater version number; `.configurationFileNameContainsInvalidCharacters`,
  ///   `.configurationFileNameTooLong`, `.duplicateConfiguration` or
  ///   `.configurationSchemaNotFoundInContainerSchema` if a configuration is invalid.
  /// > Reference: Apple, init(for:migrationPlan:configurations:). Differs: D-380, D-381, D-382.
  public init(
    for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: [ModelConfiguration]
  ) throws {
    self.schema = schema
    self.migrationPlan = migrationPlan
    let configurations = configurations.isEmpty ? [ModelConfiguration()] : configurations
    self.configurations = Set(configurations)
    let opening = try ContainerOpening(schema, migrationPlan, configurations)
    (coordinator, customStores) = try opening.open()
    remoteChanges = RemoteChanges(of: coordinator)
    remoteChanges.begin()
    announcement = RemoteAnnouncement.begin(for: self, coordinator)
  }

  /// Opens default and custom stores for models and for the models that their relationships lead
  /// to.
  ///
  /// - Parameters:
  ///   - types: The models.
  ///   - configurations: The configurations of the stores.
  /// - Throws: The same errors as ``init(for:configurations:)``.
  /// > Reference: Apple, init(for:configurations:).
  @_disfavoredOverload
  public convenience init(
    for types: any PersistentModel.Type..., configurations: any DataStoreConfiguration...
  ) throws {
    try self.init(for: Schema(types), configurations: configurations)
  }

  /// Opens default and custom stores for a schema.
  ///
  /// - Parameters:
  ///   - schema: The models.
  ///   - configurations: The configurations of the stores: ``ModelConfiguration`` for default
  ///     stores, and the types of custom stores. If empty, the container has one store in the
  ///     default location.
  /// - Throws: `SwiftDataError.loadIssueModelContainer` with the cause in `underlyingError`, such
  ///   as the error of a custom store; `.duplicateConfiguration` or
  ///   `.configurationSchemaNotFoundInContainerSchema` if the configurations contradict each other
  ///   or the schema; the error of a configuration's own validation.
  /// > Reference: Apple, init(for:configurations:). Differs: D-364.
  @_disfavoredOverload
  public init(for schema: Schema, configurations: [any DataStoreConfiguration]) throws {
    self.schema = schema
    migrationPlan = nil
    var own = configurations.compactMap { $0 as? ModelConfiguration }
    if configurations.isEmpty { own = [ModelConfiguration()] }
    self.configurations = Set(own)
    let opening = try ContainerOpening(
      schema, nil, own, customs: configurations.filter { !($0 is ModelConfiguration) })
    (coordinator, customStores) = try opening.open()
    remoteChanges = RemoteChanges(of: coordinator)
    remoteChanges.begin()
    announcement = RemoteAnnouncement.begin(for: self, coordinator)
  }

  public static func == (one: ModelContainer, other: ModelContainer) -> Bool { one === other }

  public var debugDescription: String {
    let names = configurations.map(\.name).sorted().joined(separator: ", ")
    return "ModelContainer(\(names))"
  }

  /// The context of the main actor, which saves automatically.
  ///
  /// > Reference: Apple, mainContext.
  @MainActor public var mainContext: ModelContext {
    if let main { return main }
    let context = ModelContext(
      self, GraphContext(.mainQueueConcurrencyType, remoteChanges))
    context.autosaveEnabled = true
    main = context
    return context
  }

  /// Deletes all models and the files of the stores. Afterwards, the container cannot be used.
  ///
  /// - Throws: `CocoaError` of a default store; the error of a custom store.
  /// > Reference: Apple, erase(). Differs: D-396.
  public func erase() throws {
    for store in customStores { try store.erase() }
    for store in coordinator.persistentStores where !(store is CustomStore) {
      let url = store.url
      // The store must be closed, because an open file is not deleted.
      try coordinator.remove(store)
      guard let url, url.path != "/dev/null" else { continue }
      try coordinator.destroyPersistentStore(at: url, type: .sqlite)
    }
  }

  /// Deletes all models and the files of the stores, and writes errors to the log.
  ///
  /// The method works like ``erase()``, but does not throw.
  ///
  /// > Reference: Apple, deleteAllData(). Differs: D-396.
  public func deleteAllData() {
    do { try erase() } catch { GraphLog.error("The stores could not be deleted: \(error)") }
  }

  /// Closes the stores of a container that exists only while a closure of a migration plan runs.
  func close() {
    for store in coordinator.persistentStores {
      do { try coordinator.remove(store) } catch {
        GraphLog.error("A store could not be closed: \(error)")
      }
    }
  }

  // MARK: For contexts

  /// Returns the entity of a model; `nil` if the schema has no such entity.
  ///
  /// - Parameters:
  ///   - type: The type of the model, which may be a superclass of the model's own class.
  ///   - name: The name of the entity of the model's own class; `nil` for the entity of the type.
  func entity<Model: PersistentModel>(of type: Model.Type, named name: String?) -> CompiledEntity? {
    coordinator.model.entity(named: name ?? Schema.entityName(for: type))
  }

  private func customStore(of identifier: PersistentIdentifier) -> CustomStore? {
    coordinator.persistentStores.lazy.compactMap { $0 as? CustomStore }
      .first { $0.identifier == identifier.storeIdentifier }
  }

  /// Returns whether the schema has a class.
  func has(_ type: any PersistentModel.Type) -> Bool { entity(of: type, named: nil) != nil }

  /// Returns whether a named entity is the entity of a class or of one of its subclasses.
  func entity(named name: String, isKindOf type: any PersistentModel.Type) -> Bool {
    guard let root = entity(of: type, named: nil),
      let entity = coordinator.model.entity(named: name)
    else { return false }
    return root.subtree.contains(entity.index)
  }

  /// Returns the object identifier for a persistent identifier; `nil` if the container does not
  /// have the identifier's store.
  func objectID(_ identifier: PersistentIdentifier) -> NSManagedObjectID? {
    if case .object(let id) = identifier.form, !(id.store is CustomStore) { return id }
    return customStore(of: identifier)?.objectID(of: identifier)
      ?? coordinator.managedObjectID(forURIRepresentation: identifier.uriRepresentation)
  }
}
