public import Foundation
public import OpenObjectModel

/// The result types of a batch insertion.
///
/// > Reference: Apple, NSBatchInsertRequestResultType.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
  /// The result is true.
  case statusOnly = 0
  /// The result is an array of the ids of the inserted and overwritten objects.
  case objectIDs = 1
  /// The result is the number of inserted and overwritten rows.
  case count = 2
}

/// A request that inserts rows without creating objects in a context.
///
/// The rows are inserted into the first writable store that contains the entity. A request can set
/// only attributes. Omitted attributes take their default values. The request does not evaluate
/// validation predicates. If a row violates a uniqueness constraint, the merge policy of the
/// executing context applies. The object-trump and overwrite policies overwrite the attributes of
/// the existing row, the store-trump and rollback policies keep the existing row, and the error
/// policy throws `CocoaError` 133021.
///
/// If a handler provides the rows, the request calls the handler for all rows before it writes the
/// first row to the store. If executing the request throws one of the following `CocoaError`s,
/// nothing was written:
///
/// - 134060: The entity is abstract or unknown, a key is unknown, a dictionary sets an element of a
///   composite attribute twice, a handler inserts its object into a context, or the request has
///   neither dictionaries nor a handler.
/// - 134030: A value has the wrong type, or no writable store contains the entity.
/// - 1550–1690: A value is outside the range of the attribute's type, or cannot be archived.
/// - 1570: A mandatory value is missing.
///
/// Until the first row is written, the request keeps up to four megabytes of rows in memory, and
/// writes all other rows to a temporary file.
///
/// > Concurrency: Confined to one thread at a time. Handlers run on the context's queue during
/// > `execute(_:)`, before the request locks the store for writing. Handlers may therefore fetch
/// > and save.
/// > Reference: Apple, NSBatchInsertRequest. On Apple platforms, batch insertions require a SQLite
/// > store (D-033).
open class NSBatchInsertRequest: NSPersistentStoreRequest {
  /// The type of the request: a batch insertion.
  open override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }

  /// The name of the entity; empty if the request has no entity.
  public let entityName: String
  /// The entity with which the request was created; nil if the request was created with the name of
  /// an entity or without an entity.
  public let entity: NSEntityDescription?
  /// The rows to insert, as dictionaries of attribute values by attribute name; nil if a handler
  /// provides the rows.
  open var objectsToInsert: [[String: Any]]?
  /// A closure that stores the attribute values of the next row in a dictionary; nil if the request
  /// was created without such a closure.
  ///
  /// The closure returns false for each row. When there are no more rows, the closure returns true,
  /// and the request ignores the contents of the dictionary.
  open var dictionaryHandler: ((NSMutableDictionary) -> Bool)?
  /// A closure that sets the attributes of an object to the values of the next row; nil if the
  /// request was created without such a closure.
  ///
  /// The closure returns false for each row. When there are no more rows, the closure returns true,
  /// and the request ignores the object.
  open var managedObjectHandler: ((NSManagedObject) -> Bool)?
  /// The type of the result; `.statusOnly` by default.
  open var resultType: NSBatchInsertRequestResultType = .statusOnly

  /// A description with the entity and the source of the rows.
  open override var description: String {
    DebugText.text(
      of: self,
      [
        "entity": DebugText.Verbatim(entityName), "rows": sourceText.map(DebugText.Verbatim.init),
      ])
  }

  private final var sourceText: String? {
    if managedObjectHandler != nil { return "a managed object handler" }
    if dictionaryHandler != nil { return "a dictionary handler" }
    return objectsToInsert.map { "\($0.count) dictionaries" }
  }

  /// Creates a request without an entity; executing the request throws `CocoaError` 134060.
  ///
  /// > Reference: Apple, NSBatchInsertRequest, init(). Apple has deprecated this initializer.
  public override init() {
    entityName = ""
    entity = nil
    super.init()
  }

  /// Creates a request that inserts one row for each dictionary.
  ///
  /// - Parameters:
  ///   - entityName: The name of the entity of the new rows. Executing the request throws
  ///     `CocoaError` 134060 if the context's model does not have the entity.
  ///   - dictionaries: Dictionaries of attribute values by attribute name. Omitted attributes take
  ///     their default values, and an empty array inserts nothing.
  public init(entityName: String, objects dictionaries: [[String: Any]]) {
    self.entityName = entityName
    entity = nil
    objectsToInsert = dictionaries
    super.init()
  }

  /// Creates a request that inserts one row for each dictionary.
  ///
  /// - Parameters:
  ///   - entity: The entity of the new rows. Executing the request throws `CocoaError` 134060 if
  ///     the context's model does not have an entity with this name.
  ///   - dictionaries: Dictionaries of attribute values by attribute name. Omitted attributes take
  ///     their default values, and an empty array inserts nothing.
  public init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
    entityName = entity.name ?? ""
    self.entity = entity
    objectsToInsert = dictionaries
    super.init()
  }

  /// Creates a request that inserts one row for each dictionary that a handler fills.
  ///
  /// - Parameters:
  ///   - entityName: The name of the entity of the new rows. Executing the request throws
  ///     `CocoaError` 134060 if the context's model does not have the entity.
  ///   - handler: The closure that provides the rows; see ``dictionaryHandler``.
  public init(
    entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    self.entityName = entityName
    entity = nil
    dictionaryHandler = handler
    super.init()
  }

  /// Creates a request that inserts one row for each dictionary that a handler fills.
  ///
  /// - Parameters:
  ///   - entity: The entity of the new rows. Executing the request throws `CocoaError` 134060 if
  ///     the context's model does not have an entity with this name.
  ///   - handler: The closure that provides the rows; see ``dictionaryHandler``.
  public init(
    entity: NSEntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    entityName = entity.name ?? ""
    self.entity = entity
    dictionaryHandler = handler
    super.init()
  }

  /// Creates a request that inserts one row for each managed object whose attributes a handler
  /// sets.
  ///
  /// - Parameters:
  ///   - entityName: The name of the entity of the new rows. Executing the request throws
  ///     `CocoaError` 134060 if the context's model does not have the entity.
  ///   - handler: The closure that provides the rows; see ``managedObjectHandler``.
  public init(
    entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
  ) {
    self.entityName = entityName
    entity = nil
    managedObjectHandler = handler
    super.init()
  }

  /// Creates a request that inserts one row for each managed object whose attributes a handler
  /// sets.
  ///
  /// - Parameters:
  ///   - entity: The entity of the new rows. Executing the request throws `CocoaError` 134060 if
  ///     the context's model does not have an entity with this name.
  ///   - handler: The closure that provides the rows; see ``managedObjectHandler``.
  public init(
    entity: NSEntityDescription, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
  ) {
    entityName = entity.name ?? ""
    self.entity = entity
    managedObjectHandler = handler
    super.init()
  }
}

/// The result of a batch insertion.
///
/// > Reference: Apple, NSBatchInsertResult.
open class NSBatchInsertResult: NSPersistentStoreResult {
  /// The result of the request; nil if the object was created with ``init()``.
  ///
  /// Depending on ``resultType``, the result is true, an array of object ids, or the number of rows
  /// as an `NSNumber`.
  ///
  /// The number and the ids include existing rows that were overwritten because of a uniqueness
  /// constraint.
  open private(set) var result: Any?
  /// The type of ``result``, which is the result type of the request.
  open private(set) var resultType: NSBatchInsertRequestResultType

  /// Creates a result object whose ``result`` is nil.
  public override init() {
    resultType = .statusOnly
    result = nil
  }

  init(
    _ type: NSBatchInsertRequestResultType, count: Int, _ ids: [NSManagedObjectID]
  ) {
    resultType = type
    switch type {
    case .statusOnly: result = true
    case .objectIDs: result = ids
    case .count: result = NSNumber(value: count)
    }
  }
}
