public import Foundation
public import OpenObjectModel
internal import OpenPredicates

/// The kinds of result of a batch update.
///
/// > Reference: Apple, NSBatchUpdateRequestResultType.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
  case statusOnlyResultType = 0
  case updatedObjectIDsResultType = 1
  case updatedObjectsCountResultType = 2
}

/// Updates all rows that a predicate selects, without loading objects.
///
/// Nothing is validated. Contexts do not receive the change: merge the ids of the result into them.
///
/// > Concurrency: Confined to one thread at a time.
/// > Reference: Apple, NSBatchUpdateRequest. Differs: D-033, works in every store that runs batch requests.
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
  /// The kind of request: a batch update.
  open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }

  private let name: String
  private let given: NSEntityDescription?
  /// The condition for the rows to update; nil updates all rows of the entity.
  open var predicate: NSPredicate?
  /// Whether rows of sub-entities are updated too.
  open var includesSubentities = true
  /// The kind of the result.
  open var resultType: NSBatchUpdateRequestResultType = .statusOnlyResultType
  /// The new values by the name or the description of an attribute or to-one relationship.
  ///
  /// A value is a constant, an object or its id, `NSNull` for nil, or an `NSExpression` over the current row.
  open var propertiesToUpdate: [AnyHashable: Any]?

  /// Creates a request for the rows of an entity.
  public init(entityName: String) {
    name = entityName
    given = nil
    super.init()
  }

  /// Creates a request for the rows of an entity.
  public init(entity: NSEntityDescription) {
    name = entity.name ?? ""
    given = entity
    super.init()
  }

  /// Entity, predicate and the names of the properties.
  open override var description: String {
    DebugText.text(
      of: self,
      [
        "entity": DebugText.Verbatim(name),
        "predicate": predicate.map { DebugText.Verbatim($0.canonicalFormat) },
        "propertiesToUpdate": propertiesToUpdate?.keys.map { key in
          DebugText.Verbatim((key as? NSPropertyDescription)?.name ?? "\(key)")
        }.sorted { $0.description < $1.description },
      ])
  }

  /// The name of the entity.
  open var entityName: String { name }

  /// The entity; if only its name is known, the entity with this name in the most recently compiled model.
  open var entity: NSEntityDescription {
    given ?? CompiledModel.last { $0.entity(named: name) }?.entityDescription
      ?? NSEntityDescription()
  }
}

/// The result of a batch update.
///
/// > Reference: Apple, NSBatchUpdateResult.
public class NSBatchUpdateResult: NSPersistentStoreResult {
  /// true, the number of rows, or the ids of the objects, depending on the result type.
  public let result: Any?
  /// The kind of `result`.
  public let resultType: NSBatchUpdateRequestResultType

  /// Creates an empty result.
  public override init() {
    resultType = .statusOnlyResultType
    result = nil
  }

  init(_ type: NSBatchUpdateRequestResultType, count: Int, _ ids: [NSManagedObjectID]) {
    resultType = type
    switch type {
    case .statusOnlyResultType: result = true
    case .updatedObjectIDsResultType: result = ids
    case .updatedObjectsCountResultType: result = NSNumber(value: count)
    }
  }
}
