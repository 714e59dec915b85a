public import Foundation
public import OpenObjectGraph
public import OpenObjectModel
internal import OpenPredicates
internal import Synchronization

/// The name of the variable for the migration manager in mapping expressions.
public let NSMigrationManagerKey = "manager"
/// The name of the variable for the source object in mapping expressions.
public let NSMigrationSourceObjectKey = "source"
/// The name of the variable for the destination object in mapping expressions.
public let NSMigrationDestinationObjectKey = "destination"
/// The name of the variable for the entity mapping in mapping expressions.
public let NSMigrationEntityMappingKey = "entityMapping"
/// The name of the variable for the property mapping in mapping expressions.
public let NSMigrationPropertyMappingKey = "propertyMapping"
/// The name of the variable for the entity migration policy in mapping expressions.
public let NSMigrationEntityPolicyKey = "entityPolicy"

/// Migrates the objects of a store to a store of another model, with a mapping model.
///
/// ```swift
/// let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
/// try manager.migrateStore(
///   from: url, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
///   toDestinationURL: newURL, destinationType: NSSQLiteStoreType, destinationOptions: nil)
/// ```
///
/// The objects of both contexts have the class `NSManagedObject`, regardless of their entities' classes, because a
/// class matches only one version of its entity.
///
/// > Concurrency: Used by the thread that calls `migrateStore`; `cancelMigrationWithError(_:)` may be called on any.
/// > Reference: Apple, NSMigrationManager.
open class NSMigrationManager: NSObject {
  private let source: MigrationStack
  private let destination: MigrationStack
  private let cancellation = Mutex<(any Error)?>(nil)
  private var associations = Associations()
  private var callError: (any Error)?
  private var isRunning = false
  private var observers = ProgressObservers()
  /// The destination entity of the relationship whose mapping is evaluated.
  var propertyEntity: NSEntityDescription?

  /// The mapping model of the running migration, or of the last one.
  open private(set) var mappingModel = NSMappingModel()
  /// The mapping whose objects are being migrated; before the first, a mapping without entities.
  open internal(set) var currentEntityMapping = NSEntityMapping()
  /// The progress from 0 to 1; 1 if no migration is running.
  ///
  /// ``observe(_:options:changeHandler:)`` reports its changes. A migration by the store itself reports none.
  open internal(set) var migrationProgress: Float = 1 {
    didSet { observers.progressDidChange(self, from: oldValue) }
  }
  /// Whether the store migrates itself with an inferred mapping. This is faster, but uses no policies and reports no progress.
  open var usesStoreSpecificMigrationManager = true
  /// Application-defined information for migration policies.
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

  /// The model of the source context: a copy of the source model, in which all entities use `NSManagedObject`.
  open var sourceModel: NSManagedObjectModel { source.model }
  /// The model of the destination context: a copy of the destination model, in which all entities use `NSManagedObject`.
  open var destinationModel: NSManagedObjectModel { destination.model }
  /// The context of the source objects.
  open var sourceContext: NSManagedObjectContext { source.context }
  /// The context of the migrated objects.
  open var destinationContext: NSManagedObjectContext { destination.context }

  // MARK: Migrating

  /// Migrates the objects of a store to another store.
  ///
  /// The manager checkpoints the source, unless other processes use it, and then only reads it. The destination is
  /// one file without a log, so it can replace the source. If the destination exists, objects are added to it, so
  /// several mapping models can share the work. After a failed migration, an existing destination is unchanged, and a
  /// new one is deleted.
  ///
  /// - Parameters:
  ///   - sourceURL: The store of the source model.
  ///   - sStoreType: Its type.
  ///   - sOptions: The options with which it is opened; it is opened as read-only.
  ///   - mappings: The kind of mapping.
  ///   - dURL: The new store, which must differ from the source.
  ///   - dStoreType: Its type.
  ///   - dOptions: The options with which it is opened.
  /// - Throws: `CocoaError` 134150 if the source cannot be opened, 134160 if the destination cannot be opened; 134110
  ///   for a mapping that does not match the models or whose expressions cannot be evaluated, and for objects that
  ///   fail validation, with the reason under `NSUnderlyingErrorKey`; 134111 if a uniqueness constraint is violated;
  ///   134170 for a missing policy; the error of a policy; the error passed to `cancelMigrationWithError(_:)`.
  /// - Complexity: O(objects) in time; all objects of the destination are in memory until they are saved.
  /// > Reference: Apple, migrateStore(from:sourceType:options:with:toDestinationURL:destinationType:destinationOptions:).
  open func migrateStore(
    from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
    with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
    destinationOptions dOptions: [AnyHashable: Any]? = nil
  ) throws {
    let job = MigrationJob(
      source: MigrationPlace(url: sourceURL, type: sStoreType, options: sOptions),
      destination: MigrationPlace(url: dURL, type: dStoreType, options: dOptions))
    guard !isRunning else {
      throw CocoaError.migration("The manager is migrating; make another one for each migration.")
    }
    guard let mappings else {
      throw CocoaError.make(
        CocoaError.Code(rawValue: NSMigrationMissingMappingModelError),
        "There is no mapping model; infer one with NSMappingModel.inferredMappingModel(forSourceModel:destinationModel:)."
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

  /// Migrates the objects of a store to another store.
  ///
  /// - Throws: The same errors as
  ///   `migrateStore(from:sourceType:options:with:toDestinationURL:destinationType:destinationOptions:)`.
  /// > Reference: Addition, for callers that pass the mapping model last.
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

  /// Cancels the running migration at its next object.
  ///
  /// - Parameter error: The error that `migrateStore` throws.
  /// > Concurrency: Any thread.
  open func cancelMigrationWithError(_ error: any Error) {
    cancellation.withLock { $0 = error }
  }

  /// Throws the error that the migration was cancelled with.
  func checkCancellation() throws {
    if let error = cancellation.withLock({ $0 }) { throw error }
  }

  /// Forgets the associations.
  open func reset() { associations = Associations() }

  // MARK: Mappings and objects

  /// The source entity of a mapping, in the model of the source context; nil when the mapping names none.
  ///
  /// - Returns: The source entity of a mapping, in the model of the source context; nil when the mapping names
  ///   none.
  open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    mEntity.sourceEntityName.flatMap { source.model.entitiesByName[$0] }
  }

  /// The destination entity of a mapping, in the model of the destination context; nil when the mapping names none.
  ///
  /// - Returns: The destination entity of a mapping, in the model of the destination context; nil when the
  ///   mapping names none.
  open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    mEntity.destinationEntityName.flatMap { destination.model.entitiesByName[$0] }
  }

  /// Associates a destination object with its source object.
  open func associate(
    sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
    for entityMapping: NSEntityMapping
  ) {
    associations.add(sourceInstance, destinationInstance, mapping: entityMapping.name)
  }

  /// The destination objects that a mapping created for source objects.
  ///
  /// - Parameters:
  ///   - mappingName: The name of the mapping; an unknown mapping has no objects.
  ///   - sourceInstances: The source objects; nil for all of the mapping.
  /// - Returns: The objects in the order of the source objects, each once.
  open func destinationInstances(
    forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    associations.destinations(of: sourceInstances, mapping: mappingName)
  }

  /// The source objects for which a mapping created destination objects.
  ///
  /// - Parameters:
  ///   - mappingName: The name of the mapping; an unknown mapping has no objects.
  ///   - destinationInstances: The destination objects; nil for all of the mapping.
  /// - Returns: The objects in the order of the destination objects, each once.
  open func sourceInstances(
    forEntityMappingName mappingName: String, destinationInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    associations.sources(of: destinationInstances, mapping: mappingName)
  }

  // MARK: Expressions

  /// The result of a method that an expression calls, as `FUNCTION($manager, "name:", $source.title)` does.
  ///
  /// The methods that mapping models use are available: those for instances and entities of mappings, and
  /// `fetchRequestForSourceEntityNamed:predicateString:`. A subclass with further ones overrides this method, because expressions
  /// cannot call methods by name where there is no Objective-C.
  ///
  /// - Parameters:
  ///   - selector: The name of the method, with a colon for each argument.
  ///   - arguments: The values of the arguments.
  /// - Returns: The result of a method that an expression calls, as `FUNCTION($manager, "name:",
  ///   $source.title)` does; nil if there is none.
  /// - Throws: `CocoaError` 134110 when there is no such method, or its arguments are of other kinds.
  /// > Reference: Addition.
  open func result(ofSelector selector: String, arguments: [Any?]) throws -> Any? {
    try ManagerCalls(manager: self).result(of: selector, arguments)
  }

  /// The destination objects that became of source objects by any mapping, and fit the relationship that is being set.
  func destinationInstances(ofRelated sources: [NSManagedObject]) -> [NSManagedObject] {
    let all = associations.destinations(of: sources)
    guard let wanted = propertyEntity else { return all }
    return all.filter { $0.entity.isKindOf(entity: wanted) }
  }

  /// Runs a method that an expression called, and keeps what it throws until the evaluation ends.
  func keepingCallError(_ call: () throws -> Any?) -> MessageResult {
    do { return MessageResult(value: try call()) } catch {
      if callError == nil { callError = error }
      return MessageResult(value: nil)
    }
  }

  /// What a called method threw.
  func takeCallError() -> (any Error)? {
    defer { callError = nil }
    return callError
  }

  // MARK: Observing

  /// Calls a handler when `migrationProgress` changes.
  ///
  /// - Parameters:
  ///   - keyPath: `\.migrationProgress`; other key paths are reported only once, with `.initial`.
  ///   - options: The values of the changes, and further calls.
  ///   - changeHandler: Called on the thread of the migration.
  /// - Returns: The observation, which the caller must retain.
  /// > Reference: Apple, `observe(_:options:changeHandler:)`.
  public func observe<Value>(
    _ keyPath: KeyPath<NSMigrationManager, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping (NSMigrationManager, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    observers.add(to: self, keyPath, options, changeHandler)
  }
}
