public import Foundation
public import OpenObjectGraph
public import OpenObjectModel
internal import OpenPredicates
internal import Synchronization

/// The name of the variable `$manager`, which refers to the migration manager in mapping
/// expressions.
public let NSMigrationManagerKey = "manager"
/// The name of the variable `$source`, which refers to the source object in mapping expressions.
public let NSMigrationSourceObjectKey = "source"
/// The name of the variable `$destination`, which refers to the destination object in mapping
/// expressions.
public let NSMigrationDestinationObjectKey = "destination"
/// The name of the variable `$entityMapping`, which refers to the entity mapping in mapping
/// expressions.
public let NSMigrationEntityMappingKey = "entityMapping"
/// The name of the variable `$propertyMapping`, which refers to the property mapping in mapping
/// expressions.
public let NSMigrationPropertyMappingKey = "propertyMapping"
/// The name of the variable `$entityPolicy`, which refers to the entity migration policy in mapping
/// expressions.
public let NSMigrationEntityPolicyKey = "entityPolicy"

/// An object that migrates the objects of a store to a store with another model, according to a
/// mapping model.
///
/// ```swift
/// let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
/// try manager.migrateStore(
///   from: url, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
///   toDestinationURL: newURL, destinationType: NSSQLiteStoreType, destinationOptions: nil)
/// ```
///
/// The objects of both contexts have the class `NSManagedObject`. The manager does not use the
/// classes of the entities, because a class matches only one version of its entity.
///
/// > Concurrency: Confined to the thread that calls `migrateStore`, except for
/// > `cancelMigrationWithError(_:)`, which may be called on any thread.
/// > Reference: Apple, NSMigrationManager.
open class NSMigrationManager: NSObject {
  private let source: MigrationStack
  private let destination: MigrationStack
  private let cancellation = Mutex<(any Error)?>(nil)
  private var associations = Associations()
  private var callError: (any Error)?
  private var isRunning = false
  private var observers = ProgressObservers()
  /// The destination entity of the relationship whose mapping is being evaluated.
  var propertyEntity: NSEntityDescription?

  /// The mapping model of the running migration or, if no migration is running, of the last
  /// migration.
  ///
  /// Before the first migration, the property contains an empty mapping model.
  open private(set) var mappingModel = NSMappingModel()
  /// The mapping whose objects are being migrated; after a migration, the last mapping that the
  /// manager processed. Before the first migration, the value is a mapping without entities.
  open internal(set) var currentEntityMapping = NSEntityMapping()
  /// The progress of the migration, from 0 to 1. The value is 1 if no migration is running.
  ///
  /// ``observe(_:options:changeHandler:)`` reports changes to the progress. A migration that
  /// the store executes itself reports no intermediate progress.
  open internal(set) var migrationProgress: Float = 1 {
    didSet { observers.progressDidChange(self, from: oldValue) }
  }
  /// Whether the store itself may execute the migration. The default is true.
  ///
  /// The store executes the migration if both stores are SQLite stores, the destination does not
  /// exist, and the mapping model equals the inferred mapping model. Such a migration is faster,
  /// but does not use policies, does not report intermediate progress, and cannot be canceled.
  open var usesStoreSpecificMigrationManager = true
  /// Application-defined information for migration policies; nil by default.
  open var userInfo: [AnyHashable: Any]?

  /// Creates a manager.
  ///
  /// - Parameters:
  ///   - sourceModel: The model of the store to migrate.
  ///   - destinationModel: The model of the new store.
  public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
    source = MigrationStack(sourceModel, name: "migration source")
    destination = MigrationStack(destinationModel, name: "migration destination")
    super.init()
  }

  /// The model of the source context, a copy of the source model in which all entities use the
  /// class `NSManagedObject`.
  open var sourceModel: NSManagedObjectModel { source.model }
  /// The model of the destination context, a copy of the destination model in which all entities
  /// use the class `NSManagedObject`.
  open var destinationModel: NSManagedObjectModel { destination.model }
  /// The context of the source objects.
  open var sourceContext: NSManagedObjectContext { source.context }
  /// The context of the migrated objects.
  open var destinationContext: NSManagedObjectContext { destination.context }

  // MARK: Migrating

  /// Migrates the objects of a store to another store.
  ///
  /// If no other process uses the source store, the manager first checkpoints the store.
  /// Afterward, the manager only reads from the source store. After the migration, the destination
  /// file has no write-ahead log, so the file can replace the source.
  ///
  /// If the destination already exists, the manager adds the objects to the existing store. You can
  /// therefore divide a migration among several mapping models. If the migration fails, the manager
  /// leaves an existing destination unchanged, and deletes a new destination.
  ///
  /// - Parameters:
  ///   - sourceURL: The URL of the store to migrate.
  ///   - sStoreType: The type of the source store.
  ///   - sOptions: The options of the source store; nil for no options. The manager opens the
  ///     store as read-only.
  ///   - mappings: The mapping model. If the value is nil, the method throws error 134140.
  ///   - dURL: The URL of the destination store, which must differ from `sourceURL`.
  ///   - dStoreType: The type of the destination store.
  ///   - dOptions: The options of the destination store; nil for no options.
  /// - Throws: The error that a policy throws, the error passed to
  ///   ``cancelMigrationWithError(_:)``, or any error that occurs while a store is examined or
  ///   closed. Otherwise, a `CocoaError` with one of the following codes:
  ///   - 134110: A migration is already running, two mappings have the same name, or a mapping does
  ///     not match the models. An expression cannot be evaluated, source objects cannot be read, or
  ///     the objects cannot be saved, for example because an object fails validation.
  ///   - 134111: A uniqueness constraint is violated.
  ///   - 134140: `mappings` is nil.
  ///   - 134150: The source cannot be opened, for example because it does not exist or has another
  ///     model.
  ///   - 134160: The destination is the source, or the destination cannot be opened.
  ///   - 134170: A policy class is missing or ambiguous.
  /// - Complexity: O(*n*) in the number of objects. All objects of the destination are in memory
  ///   until they are saved.
  /// > Reference: Apple,
  /// > migrateStore(from:sourceType:options:with:toDestinationURL:destinationType:destinationOptions:).
  /// > Differs: D-440.
  open func migrateStore(
    from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
    with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
    destinationOptions dOptions: [AnyHashable: Any]? = nil
  ) throws {
    let job = MigrationJob(
      source: MigrationPlace(url: sourceURL, type: sStoreType, options: sOptions),
      destination: MigrationPlace(url: dURL, type: dStoreType, options: dOptions))
    guard !isRunning else {
      throw CocoaError.migration(
        "The migration manager is already migrating a store. Create a new one for each migration.")
    }
    guard let mappings else {
      throw CocoaError.make(
        CocoaError.Code(rawValue: NSMigrationMissingMappingModelError),
        "No mapping model was specified. Infer one with NSMappingModel.inferredMappingModel(forSourceModel:destinationModel:)."
      )
    }
    isRunning = true
    cancellation.withLock { $0 = nil }
    mappingModel = mappings
    migrationProgress = 0
    defer {
      isRunning = false
      migrationProgress = 1
    }
    try job.run(self, source, destination)
  }

  /// Migrates the objects of a store to another store.
  ///
  /// - Parameters:
  ///   - sourceURL: The URL of the store to migrate.
  ///   - sourceType: The type of the source store.
  ///   - sourceOptions: The options of the source store; nil for no options. The manager opens the
  ///     store as read-only.
  ///   - mapping: The mapping model.
  ///   - destinationURL: The URL of the destination store, which must differ from `sourceURL`.
  ///   - destinationType: The type of the destination store.
  ///   - destinationOptions: The options of the destination store; nil for no options.
  /// - Throws: The same errors as
  ///   `migrateStore(from:sourceType:options:with:toDestinationURL:destinationType:destinationOptions:)`.
  /// > Reference: Apple, migrateStore(from:type:options:mapping:to:type:options:).
  open func migrateStore(
    from sourceURL: URL, type sourceType: NSPersistentStore.StoreType,
    options sourceOptions: [AnyHashable: Any]? = nil, mapping: NSMappingModel,
    to destinationURL: URL, type destinationType: NSPersistentStore.StoreType,
    options destinationOptions: [AnyHashable: Any]? = nil
  ) throws {
    try migrateStore(
      from: sourceURL, sourceType: sourceType.rawValue, options: sourceOptions, with: mapping,
      toDestinationURL: destinationURL, destinationType: destinationType.rawValue,
      destinationOptions: destinationOptions)
  }

  /// Migrates the objects of a store to another store. The mapping model is the last parameter of
  /// this overload.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - sourceURL: The URL of the store to migrate.
  ///   - sourceType: The type of the source store.
  ///   - sourceOptions: The options of the source store; nil for no options. The manager opens the
  ///     store as read-only.
  ///   - destinationURL: The URL of the destination store, which must differ from `sourceURL`.
  ///   - destinationType: The type of the destination store.
  ///   - destinationOptions: The options of the destination store; nil for no options.
  ///   - mappingModel: The mapping model. If the value is nil, the method throws error 134140.
  /// - Throws: The same errors as
  ///   `migrateStore(from:sourceType:options:with:toDestinationURL:destinationType:destinationOptions:)`.
  public func migrateStore(
    from sourceURL: URL, sourceType: String, options sourceOptions: [AnyHashable: Any]? = nil,
    to destinationURL: URL, destinationType: String,
    destinationOptions: [AnyHashable: Any]? = nil, mappingModel: NSMappingModel?
  ) throws {
    try migrateStore(
      from: sourceURL, sourceType: sourceType, options: sourceOptions, with: mappingModel,
      toDestinationURL: destinationURL, destinationType: destinationType,
      destinationOptions: destinationOptions)
  }

  /// Cancels the running migration before the next object is migrated.
  ///
  /// The method has no effect if no migration is running. The method cannot cancel a migration that
  /// the store itself executes.
  ///
  /// - Parameter error: The error that `migrateStore` throws.
  /// > Concurrency: Callable from any thread.
  open func cancelMigrationWithError(_ error: any Error) {
    cancellation.withLock { $0 = error }
  }

  /// Throws the error that the migration was canceled with.
  func checkCancellation() throws {
    if let error = cancellation.withLock({ $0 }) { throw error }
  }

  /// Removes all associations between source and destination objects.
  open func reset() { associations = Associations() }

  // MARK: Mappings and objects

  /// Finds the source entity of a mapping in the model of the source context.
  ///
  /// - Parameter mEntity: The mapping.
  /// - Returns: The entity, or nil if the mapping has no source entity or the model does not
  ///   contain the entity.
  open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    mEntity.sourceEntityName.flatMap { source.model.entitiesByName[$0] }
  }

  /// Finds the destination entity of a mapping in the model of the destination context.
  ///
  /// - Parameter mEntity: The mapping.
  /// - Returns: The entity, or nil if the mapping has no destination entity or the model does not
  ///   contain the entity.
  open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    mEntity.destinationEntityName.flatMap { destination.model.entitiesByName[$0] }
  }

  /// Associates a destination object with its source object.
  ///
  /// The association enables `destinationInstances(forEntityMappingName:sourceInstances:)` and the
  /// relationship mappings to find the destination object. Call this method in an override of
  /// `createDestinationInstances(forSource:in:manager:)` that does not call super.
  ///
  /// - Parameters:
  ///   - sourceInstance: The source object.
  ///   - destinationInstance: The destination object.
  ///   - entityMapping: The mapping that created the destination object.
  open func associate(
    sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
    for entityMapping: NSEntityMapping
  ) {
    associations.add(sourceInstance, destinationInstance, mapping: entityMapping.name)
  }

  /// Returns the destination objects that a mapping created for source objects.
  ///
  /// - Parameters:
  ///   - mappingName: The name of the mapping. For an unknown name, the result is empty.
  ///   - sourceInstances: The source objects, or nil for all source objects of the mapping.
  /// - Returns: The objects in the order of the source objects, without duplicates. If
  ///   `sourceInstances` is nil, the objects are in the order in which they were associated.
  open func destinationInstances(
    forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    associations.destinations(of: sourceInstances, mapping: mappingName)
  }

  /// Returns the source objects for which a mapping created destination objects.
  ///
  /// - Parameters:
  ///   - mappingName: The name of the mapping. For an unknown name, the result is empty.
  ///   - destinationInstances: The destination objects, or nil for all destination objects of the
  ///     mapping.
  /// - Returns: The objects in the order of the destination objects, without duplicates. If
  ///   `destinationInstances` is nil, the objects are in the order in which they were associated.
  open func sourceInstances(
    forEntityMappingName mappingName: String, destinationInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    associations.sources(of: destinationInstances, mapping: mappingName)
  }

  // MARK: Expressions

  /// Calls a method of the manager for a mapping expression, and returns the result.
  ///
  /// An example of such an expression is `FUNCTION($manager, "name:", $source.title)`.
  ///
  /// The default implementation supports the getters of the manager's properties, such as
  /// `sourceContext`, and the following selectors, which Xcode uses in mapping models:
  ///
  /// - `destinationInstancesForEntityMappingNamed:sourceInstances:`
  /// - `sourceInstancesForEntityMappingNamed:destinationInstances:`
  /// - `destinationInstancesForSourceRelationshipNamed:sourceInstances:`
  /// - `fetchRequestForSourceEntityNamed:predicateString:`
  /// - `sourceEntityForEntityMapping:` and `destinationEntityForEntityMapping:`
  /// - `valueForKey:`
  ///
  /// Without the Objective-C runtime, expressions cannot call other methods by name. If mapping
  /// expressions call a method that a subclass adds, the subclass must therefore override this
  /// method.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - selector: The name of the method, with a colon for each argument.
  ///   - arguments: The values of the arguments.
  /// - Returns: The result of the method, which may be nil.
  /// - Throws: `CocoaError` 134110 if the manager has no method with this selector, if an argument
  ///   is missing or has the wrong type, or if the mapping or entity that an argument names is
  ///   unknown. `PredicateFormatError` if a predicate string cannot be parsed.
  open func result(ofSelector selector: String, arguments: [Any?]) throws -> Any? {
    try ManagerCalls(manager: self).result(of: selector, arguments)
  }

  /// Returns the destination objects of source objects, over all mappings, that fit the
  /// relationship being set.
  func destinationInstances(ofRelated sources: [NSManagedObject]) -> [NSManagedObject] {
    let all = associations.destinations(of: sources)
    guard let wanted = propertyEntity else { return all }
    return all.filter { $0.entity.isKindOf(entity: wanted) }
  }

  /// Runs a method that an expression called, and keeps the error of the method until the
  /// evaluation ends.
  func keepingCallError(_ call: () throws -> Any?) -> MessageResult {
    do { return MessageResult(value: try call()) } catch {
      if callError == nil { callError = error }
      return MessageResult(value: nil)
    }
  }

  /// Returns and clears the first error that a called method threw.
  func takeCallError() -> (any Error)? {
    defer { callError = nil }
    return callError
  }

  // MARK: Observing

  /// Calls a handler whenever `migrationProgress` changes.
  ///
  /// - Parameters:
  ///   - keyPath: The key path `\.migrationProgress`. For any other key path, the method calls the
  ///     handler at most once, for the option `.initial`.
  ///   - options: `.new` and `.old` select the values in the change; without them, the change
  ///     contains no values. With `.initial`, the method also calls the handler before it returns.
  ///     `.prior` has no effect.
  ///   - changeHandler: A closure that the manager calls on the migration's thread.
  /// - Returns: The observation. Retain it; releasing it ends the observation.
  /// > Reference: Apple, `observe(_:options:changeHandler:)`.
  public func observe<Value>(
    _ keyPath: KeyPath<NSMigrationManager, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping (NSMigrationManager, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    observers.add(to: self, keyPath, options, changeHandler)
  }
}
