internal import Foundation
internal import OpenCoreData
internal import OpenObjectGraph
internal import OpenObjectModel
internal import Synchronization

/// An object that opens the stores for the models of a schema and provides contexts.
///
/// > Concurrency: Any thread. Only the main actor may use ``mainContext``.
/// > Reference: Apple, ModelContainer.
// Invariant of the unchecked conformance: the container is immutable after its creation, except for
// the main context, which only the main actor uses. Contexts share the custom stores, which must be
// usable on any thread.
public class ModelContainer: Equatable, CustomDebugStringConvertible, @unchecked Sendable {
  /// The schema with the models that the container stores.
  public let schema: Schema
  /// The plan that migrates stores with older schema versions; `nil` if the container migrates
  /// stores with inferred mapping models.
  public let migrationPlan: (any SchemaMigrationPlan.Type)?
  /// The configurations of the default stores. Custom stores are not included.
  public let configurations: Set<ModelConfiguration>
  let coordinator: NSPersistentStoreCoordinator
  let remoteChanges: RemoteChanges
  /// The custom stores of the container.
  let customStores: [any DataStore]
  private var announcement: NotificationToken?
  @MainActor private var main: ModelContext?

  /// Opens stores for the given models and the destinations of their relationships.
  ///
  /// - Parameters:
  ///   - types: The model types.
  ///   - migrationPlan: The versions of the schema and the migrations between the versions; `nil`
  ///     for migrations with inferred mapping models.
  ///   - configurations: The configurations of the stores. If there are no configurations, the
  ///     container opens one store in the default location.
  /// - Throws: The same errors as the initializer with a schema and an array of configurations.
  public convenience init(
    for types: any PersistentModel.Type...,
    migrationPlan: (any SchemaMigrationPlan.Type)? = nil, configurations: ModelConfiguration...
  ) throws {
    try self.init(
      for: Schema(types), migrationPlan: migrationPlan, configurations: configurations)
  }

  /// Opens stores for the models of a schema.
  ///
  /// - Parameters:
  ///   - schema: The schema with the models that the container stores.
  ///   - migrationPlan: The versions of the schema and the migrations between the versions; `nil`
  ///     for migrations with inferred mapping models.
  ///   - configurations: The configurations of the stores. If there are no configurations, the
  ///     container opens one store in the default location.
  /// - Throws: The same errors as the initializer with a schema and an array of configurations.
  public convenience init(
    for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws {
    try self.init(for: schema, migrationPlan: migrationPlan, configurations: configurations)
  }

  /// Opens stores for the models of a schema, with an array of configurations.
  ///
  /// The migration plan migrates stores with older schema versions. Without a plan, the container
  /// migrates these stores with inferred mapping models.
  ///
  /// - Parameters:
  ///   - schema: The schema with the models that the container stores.
  ///   - migrationPlan: The versions of the schema and the migrations between the versions; `nil`
  ///     for migrations with inferred mapping models.
  ///   - configurations: The configurations of the stores. If there are no configurations, the
  ///     container opens one store in the default location.
  /// - Throws: `SwiftDataError` of one of the following kinds:
  ///   - `.loadIssueModelContainer`: The schema or the migration plan is invalid, or a store cannot
  ///     be opened or migrated. The property `underlyingError` contains the cause.
  ///   - `.backwardMigration`: A store has a higher version number than the schema.
  ///   - `.configurationFileNameContainsInvalidCharacters` or `.configurationFileNameTooLong`: The
  ///     name of a configuration cannot be used as a file name.
  ///   - `.duplicateConfiguration`: Two configurations have the same name or file.
  ///   - `.configurationSchemaNotFoundInContainerSchema`: A configuration has a model that is not
  ///     in the schema.
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

  /// Opens default and custom stores for the given models and the destinations of their
  /// relationships.
  ///
  /// - Parameters:
  ///   - types: The model types.
  ///   - configurations: The configurations of the stores. A ``ModelConfiguration`` opens a default
  ///     store. Any other type opens a custom store. If there are no configurations, the container
  ///     opens one default store in the default location.
  /// - Throws: The same errors as the initializer with a schema and an array of
  ///   ``DataStoreConfiguration`` values.
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
  ///   - schema: The schema with the models that the container stores.
  ///   - configurations: The configurations of the stores. A ``ModelConfiguration`` opens a default
  ///     store. Any other type opens a custom store. If the array is empty, the container opens one
  ///     default store in the default location.
  /// - Throws: `SwiftDataError.loadIssueModelContainer` if the schema is invalid, or if a store
  ///   cannot be opened. The property `underlyingError` contains the cause, such as an error that a
  ///   custom store threw. The initializer throws `.backwardMigration` if a default store has a
  ///   higher version number than the schema, and `.duplicateConfiguration` if two configurations
  ///   have the same name or file. The initializer throws
  ///   `.configurationSchemaNotFoundInContainerSchema` if a configuration has a model that is not
  ///   in the schema. The initializer also throws the errors that the `validate()` methods of the
  ///   configurations throw.
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

  /// Creates a container with the stores of an equal container that was deallocated.
  init(_ parts: Parts) {
    schema = parts.schema
    migrationPlan = parts.migrationPlan
    configurations = parts.configurations
    coordinator = parts.coordinator
    customStores = parts.customStores
    remoteChanges = parts.remoteChanges
    announcement = RemoteAnnouncement.begin(for: self, coordinator)
  }

  public static func == (one: ModelContainer, other: ModelContainer) -> Bool {
    one.coordinator === other.coordinator
  }

  public var debugDescription: String {
    let names = configurations.map(\.name).sorted().joined(separator: ", ")
    return "ModelContainer(\(names))"
  }

  /// The context that the main actor uses.
  ///
  /// The context saves changes automatically. The container retains the context; the context does
  /// not retain the container.
  ///
  /// > Reference: Apple, mainContext.
  @MainActor public var mainContext: ModelContext {
    if let main { return main }
    let context = remoteChanges.mainContext ?? makeMainContext()
    main = context
    return context
  }

  @MainActor private func makeMainContext() -> ModelContext {
    let context = ModelContext(
      self, GraphContext(.mainQueueConcurrencyType, remoteChanges))
    context.autosaveEnabled = true
    return context
  }

  /// Deletes all models, and closes the default stores. After a successful call, the container
  /// cannot be used.
  ///
  /// The files of default stores remain as empty databases, because other programs may share the
  /// files. The method does not erase a default store that another container or another process has
  /// open. The container keeps such a store with its models, and you can continue to use this
  /// store.
  ///
  /// - Throws: `CocoaError` 134090 if another container or another process has a default store
  ///   open; another `CocoaError` if a default store cannot be erased for another reason; any error
  ///   that a custom store's `erase()` throws. If one store cannot be erased, the method still
  ///   erases the other stores, and then throws the first error.
  /// > Reference: Apple, erase(). Differs: D-396.
  public func erase() throws {
    var failure: (any Error)?
    for store in customStores {
      do { try store.erase() } catch { failure = failure ?? error }
    }
    for store in coordinator.persistentStores where !(store is CustomStore) {
      do { try erase(store) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  private func erase(_ store: NSPersistentStore) throws {
    let url = store.url
    // The store must be closed, because an open file is not deleted.
    try coordinator.remove(store)
    guard let url, url.path != "/dev/null" else { return }
    do {
      try coordinator.destroyPersistentStore(at: url, type: .sqlite)
    } catch {
      reopen(store, at: url)
      throw error
    }
  }

  /// Opens a store that could not be erased, so that the container can still be used.
  private func reopen(_ store: NSPersistentStore, at url: URL) {
    do {
      try coordinator.addAgain(store)
    } catch {
      GraphLog.error(
        "The store \(url.path) was not erased and cannot be opened again. Create a new container. \(error)"
      )
    }
  }

  /// Deletes all models, and closes the default stores, as ``erase()`` does. If an error occurs,
  /// the method writes the error to the log and does not throw.
  ///
  /// > Reference: Apple, deleteAllData(). Differs: D-396.
  public func deleteAllData() {
    do { try erase() } catch {
      GraphLog.error(
        "deleteAllData() did not delete the models of a store. \(error)")
    }
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
  /// - Parameter type: The type of the model.
  func entity<Model: PersistentModel>(of type: Model.Type) -> CompiledEntity? {
    ModelTypes.entity(of: type, in: coordinator.model)
  }

  /// Returns whether the schema has a class.
  func has(_ type: any PersistentModel.Type) -> Bool { entity(of: type) != nil }

  /// Returns whether a named entity is the entity of a class or of one of its subclasses.
  func entity(named name: String, isKindOf type: any PersistentModel.Type) -> Bool {
    guard let root = entity(of: type),
      let entity = coordinator.model.entity(named: name)
    else { return false }
    return root.subtree.contains(entity.index)
  }
}

extension NSPersistentStoreCoordinator {
  /// Returns the object identifier for a persistent identifier; `nil` if the coordinator does not
  /// have the identifier's store.
  func objectID(of identifier: PersistentIdentifier) -> NSManagedObjectID? {
    if case .object(let id) = identifier.form, !(id.store is CustomStore) {
      if id.isTemporaryID || !CustomStore.wasCreated { return id }
      // A custom store may have the identifier of the default store that it calls.
      return customObjectID(of: identifier) ?? id
    }
    return customObjectID(of: identifier)
      ?? managedObjectID(forURIRepresentation: identifier.uriRepresentation)
  }

  /// Returns the identifier of a saved object of a custom store, also for the temporary identifier
  /// that the object had before it was saved; `nil` if there is no such object.
  func customObjectID(of identifier: PersistentIdentifier) -> NSManagedObjectID? {
    for case let store as CustomStore in persistentStores {
      if let id = store.objectID(of: identifier), !store.isUnsaved(id) { return id }
    }
    return nil
  }
}
