public import Foundation
public import OpenObjectModel

/// The kinds of result of a batch insertion.
///
/// > Reference: Apple, NSBatchInsertRequestResultType.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
  case statusOnly = 0
  case objectIDs = 1
  case count = 2
}

/// Inserts rows without objects.
///
/// Only attributes can be set; omitted attributes have their default values. The only validation is that mandatory
/// attributes have values. If a row violates a uniqueness constraint, the merge policy of the executing context
/// applies: object policies overwrite the attributes of the other row, store policies keep it, and the error policy
/// throws.
///
/// Rows are written as the handlers provide them, so memory use does not depend on their number.
///
/// > Concurrency: Confined to one thread at a time; handlers run on the context's queue during `execute(_:)`, while
/// > the store is locked for writing: they may fetch, but writing to the same store throws 134091.
/// > Reference: Apple, NSBatchInsertRequest. Differs: D-033, works in every store that runs batch requests.
open class NSBatchInsertRequest: NSPersistentStoreRequest {
  /// The kind of request: a batch insertion.
  open override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }

  /// The name of the entity; empty when none was given.
  public let entityName: String
  /// The entity, when it was given.
  public let entity: NSEntityDescription?
  /// The rows as dictionaries of attributes.
  open var objectsToInsert: [[String: Any]]?
  /// Fills the dictionary of the next row, or returns true to end the insertion without a further row.
  open var dictionaryHandler: ((NSMutableDictionary) -> Bool)?
  /// Fills an object with the attributes of the next row, or returns true to end the insertion.
  open var managedObjectHandler: ((NSManagedObject) -> Bool)?
  /// The kind of the result.
  open var resultType: NSBatchInsertRequestResultType = .statusOnly

  /// The entity, and where the rows come from.
  open override var description: String {
    DebugText.text(
      of: self,
      [
        "entity": DebugText.Verbatim(entityName), "rows": sourceText.map(DebugText.Verbatim.init),
      ])
  }

  private final var sourceText: String? {
    if managedObjectHandler != nil { return "a handler of objects" }
    if dictionaryHandler != nil { return "a handler of dictionaries" }
    return objectsToInsert.map { "\($0.count) dictionaries" }
  }

  /// Creates a request without an entity, whose execution throws.
  ///
  /// > Reference: Apple, NSBatchInsertRequest, init(); deprecated there.
  public override init() {
    entityName = ""
    entity = nil
    super.init()
  }

  /// Creates a request that inserts a row for each dictionary.
  public init(entityName: String, objects dictionaries: [[String: Any]]) {
    self.entityName = entityName
    entity = nil
    objectsToInsert = dictionaries
    super.init()
  }

  /// Creates a request that inserts a row for each dictionary.
  public init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
    entityName = entity.name ?? ""
    self.entity = entity
    objectsToInsert = dictionaries
    super.init()
  }

  /// Creates a request that calls the handler with one dictionary after another until it returns true.
  public init(
    entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    self.entityName = entityName
    entity = nil
    dictionaryHandler = handler
    super.init()
  }

  /// Creates a request that calls the handler with one dictionary after another until it returns true.
  public init(
    entity: NSEntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    entityName = entity.name ?? ""
    self.entity = entity
    dictionaryHandler = handler
    super.init()
  }

  /// Creates a request that calls the handler with one object after another until it returns true.
  public init(
    entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
  ) {
    self.entityName = entityName
    entity = nil
    managedObjectHandler = handler
    super.init()
  }

  /// Creates a request that calls the handler with one object after another until it returns true.
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
public class NSBatchInsertResult: NSPersistentStoreResult {
  /// true, the number of rows, or the ids of the objects, depending on the result type; rows that took new values
  /// because of a constraint are included.
  public let result: Any?
  /// The kind of `result`.
  public let resultType: NSBatchInsertRequestResultType

  /// Creates an empty result.
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
