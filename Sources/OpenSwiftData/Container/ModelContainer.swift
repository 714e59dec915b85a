internal import Foundation
internal import OpenCoreData
internal import OpenObjectGraph
internal import OpenObjectModel
internal import Synchronization

/// The stores of a schema, and the contexts that work on them.
///
/// > Concurrency: Usable on any thread; ``mainContext`` belongs to the main actor.
/// > Reference: Apple, ModelContainer.
// Invariant of the unchecked conformance: immutable once it is made, but for the main context, which the main actor alone uses. Custom
// stores are shared by contexts, and must be usable on any thread.
public class ModelContainer: Equatable, CustomDebugStringConvertible, @unchecked Sendable {
  /// The models.
  public let schema: Schema
  /// The plan that migrates stores of older versions.
  public let migrationPlan: (any SchemaMigrationPlan.Type)?
  /// The configurations of the stores.
  public let configurations: Set<ModelConfiguration>
  let coordinator: NSPersistentStoreCoordinator
  let remoteChanges: RemoteChanges
  /// The custom stores's own kinds.
  let customStores: [any DataStore]
  private var announcement: NotificationToken?
  @MainActor private var main: ModelContext?

  /// Opens the store of models and of the models in their relationships.
  ///
  /// - Throws: `SwiftDataError.loadIssueModelContainer`, with the cause under `underlyingError`;
  ///   `SwiftDataError.backwardMigration` for a newer store; `SchemaError` for an invalid schema.
  public convenience init(
    for types: any PersistentModel.Type...,
    migrationPlan: (any SchemaMigrationPlan.Type)? = nil, configurations: ModelConfiguration...
  ) throws {
    try self.init(
      for: Schema(types), migrationPlan: migrationPlan, configurations: configurations)
  }

  /// Opens the stores of a schema.
  ///
  /// - Throws: `SwiftDataError.loadIssueModelContainer`, with the cause under `underlyingError`;
  ///   `SwiftDataError.backwardMigration` for a newer store; `SchemaError` for an invalid schema.
  public convenience init(
    for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws {
    try self.init(for: schema, migrationPlan: migrationPlan, configurations: configurations)
  }

  /// Opens the stores of a schema.
  ///
  /// Stores of older versions are migrated with the plan, or without a plan with an inferred mapping.
  ///
  /// - Parameters:
  ///   - schema: The models.
  ///   - migrationPlan: The versions of the schema and the migrations between them.
  ///   - configurations: The configurations of the stores; if empty, one store in the default location.
  /// - Throws: `SwiftDataError.loadIssueModelContainer` with the cause, for a schema that cannot be built and a store that cannot be
  ///   opened or migrated; `.backwardMigration` for a store with a greater version number; `.configurationFileName…`,
  ///   `.duplicateConfiguration`, `.configurationSchemaNotFoundInContainerSchema`.
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

  /// Opens stores of any kind for models and for the models in their relationships.
  ///
  /// - Throws: The same errors as ``init(for:configurations:)``.
  /// > Reference: Apple, init(for:configurations:).
  @_disfavoredOverload
  public convenience init(
    for types: any PersistentModel.Type..., configurations: any DataStoreConfiguration...
  ) throws {
    try self.init(for: Schema(types), configurations: configurations)
  }

  /// Opens stores of any kind for a schema.
  ///
  /// - Parameters:
  ///   - schema: The models.
  ///   - configurations: Where the models are kept: ``ModelConfiguration``, and configurations of custom stores.
  /// - Throws: `SwiftDataError.loadIssueModelContainer` with the cause, such as the error of a custom store;
  ///   `.duplicateConfiguration`, `.configurationSchemaNotFoundInContainerSchema`.
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

  /// The context for the main actor, which saves automatically.
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

  /// Deletes all models and the files of the stores; the container cannot be used afterwards.
  ///
  /// - Throws: `CocoaError` of the store.
  /// > Reference: Apple, erase(). Differs: D-396.
  public func erase() throws {
    for store in customStores { try store.erase() }
    for store in coordinator.persistentStores where !(store is CustomStore) {
      let url = store.url
      // A file that is open is not deleted.
      try coordinator.remove(store)
      guard let url, url.path != "/dev/null" else { continue }
      try coordinator.destroyPersistentStore(at: url, type: .sqlite)
    }
  }

  /// Like ``erase()``, but errors are only logged.
  ///
  /// > Reference: Apple, deleteAllData(). Differs: D-396.
  public func deleteAllData() {
    do { try erase() } catch { GraphLog.error("The stores could not be deleted: \(error)") }
  }

  /// Closes the stores; for containers that live as long as a closure of a migration.
  func close() {
    for store in coordinator.persistentStores {
      do { try coordinator.remove(store) } catch {
        GraphLog.error("A store could not be closed: \(error)")
      }
    }
  }

  // MARK: For contexts

  /// The entity of a model; nil when the schema does not have it.
  ///
  /// - Parameter name: The name of the entity of the model's class itself, where it is a subclass of the type.
  func entity<Model: PersistentModel>(of type: Model.Type, named name: String?) -> CompiledEntity? {
    coordinator.model.entity(named: name ?? Schema.entityName(for: type))
  }

  private func customStore(of identifier: PersistentIdentifier) -> CustomStore? {
    coordinator.persistentStores.lazy.compactMap { $0 as? CustomStore }
      .first { $0.identifier == identifier.storeIdentifier }
  }

  /// Whether the schema has a class.
  func has(_ type: any PersistentModel.Type) -> Bool { entity(of: type, named: nil) != nil }

  /// Whether the entity of a name is that of a class or of a subclass.
  func entity(named name: String, isKindOf type: any PersistentModel.Type) -> Bool {
    guard let root = entity(of: type, named: nil),
      let entity = coordinator.model.entity(named: name)
    else { return false }
    return root.subtree.contains(entity.index)
  }

  /// The id of an object of this container's stores; nil for an identifier of another store.
  func objectID(_ identifier: PersistentIdentifier) -> NSManagedObjectID? {
    if case .object(let id) = identifier.form, !(id.store is CustomStore) { return id }
    return customStore(of: identifier)?.objectID(of: identifier)
      ?? coordinator.managedObjectID(forURIRepresentation: identifier.uriRepresentation)
  }
}
