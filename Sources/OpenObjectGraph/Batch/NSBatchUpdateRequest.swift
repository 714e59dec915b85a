public import Foundation
public import OpenObjectModel
internal import OpenPredicates

/// The result types of a batch update.
///
/// > Reference: Apple, NSBatchUpdateRequestResultType.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
  /// The result is true.
  case statusOnlyResultType = 0
  /// The result is an array of the ids of the updated objects.
  case updatedObjectIDsResultType = 1
  /// The result is the number of updated rows.
  case updatedObjectsCountResultType = 2
}

/// A request that updates all rows selected by a predicate, without loading objects.
///
/// The request does not evaluate validation predicates, does not check that mandatory attributes
/// have values, and does not change objects in any context. To update a context, request the ids of
/// the updated objects and pass them to `mergeChanges(fromRemoteContextSave:into:)`.
///
/// Executing the request throws `CocoaError` with one of the following codes if the rows cannot be
/// updated. For invalid new values, see ``propertiesToUpdate``. For a predicate that cannot be
/// parsed, executing the request throws `PredicateFormatError`.
///
/// - 134060: The entity is unknown, or a store cannot evaluate the predicate.
/// - 133021: The new values violate a uniqueness constraint.
/// - 134030: A store is open for reading only.
/// - 134040: A store failed after other stores were updated.
///
/// > Concurrency: Confined to one thread at a time.
/// > Reference: Apple, NSBatchUpdateRequest. On Apple platforms, batch updates require a SQLite
/// > store (D-033).
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
  /// The type of the request: a batch update.
  open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }

  private let name: String
  private let given: NSEntityDescription?
  /// The predicate that selects the rows to update; nil updates all rows of the entity.
  open var predicate: NSPredicate?
  /// Whether the request also updates rows of subentities; true by default.
  open var includesSubentities = true
  /// The type of the result; `.statusOnlyResultType` by default.
  open var resultType: NSBatchUpdateRequestResultType = .statusOnlyResultType
  /// The new values, by property. Each key is the name or the `NSPropertyDescription` of an
  /// attribute or a to-one relationship.
  ///
  /// A value is a constant, a saved object, the id of a saved object, `NSNull` for nil, or an
  /// `NSExpression` that the store evaluates for each row. Executing the request throws
  /// `CocoaError` with one of the following codes if the new values are invalid:
  ///
  /// - 134060: The request has no new values, a value for a one-to-one relationship, two keys for
  ///   the same property, a key that is not a stored property, or a key of a derived attribute. An
  ///   expression sets a relationship. In a SQLite store, an expression sets or reads an attribute
  ///   with external storage.
  /// - 134030: A constant has the wrong type, or an object is unsaved or belongs to another store.
  ///   An expression is a key path to a property whose type does not match the attribute's type.
  /// - 1550–1690: A constant is outside the range of the attribute's type.
  /// - 133020: A saved object to which the new values refer no longer exists in the store.
  ///
  /// > Reference: Apple, propertiesToUpdate. Differs: D-463, D-464.
  open var propertiesToUpdate: [AnyHashable: Any]?

  /// Creates a request that updates rows of the entity with the given name.
  ///
  /// - Parameter entityName: The name of the entity. Executing the request throws `CocoaError`
  ///   134060 if the context's model does not have the entity.
  public init(entityName: String) {
    name = entityName
    given = nil
    super.init()
  }

  /// Creates a request that updates rows of the given entity.
  ///
  /// - Parameter entity: The entity of the rows. Executing the request throws `CocoaError` 134060
  ///   if the context's model does not have an entity with this name.
  public init(entity: NSEntityDescription) {
    name = entity.name ?? ""
    given = entity
    super.init()
  }

  /// A description with the entity, the predicate and the names of the updated properties.
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

  /// The entity to update.
  ///
  /// If the request was created with a name, the property returns the entity with this name. The
  /// property searches the models for which the process has created coordinators, the most recent
  /// model first. If no model has such an entity, the property returns an empty entity description.
  open var entity: NSEntityDescription {
    given ?? CompiledModel.last { $0.entity(named: name) }?.entityDescription
      ?? NSEntityDescription()
  }
}

/// The result of a batch update.
///
/// > Reference: Apple, NSBatchUpdateResult.
open class NSBatchUpdateResult: NSPersistentStoreResult {
  /// The result of the request; nil if the object was created with ``init()``.
  ///
  /// Depending on ``resultType``, the result is the Boolean value `true`, an array of the ids of
  /// the updated objects, or the number of updated rows as an `NSNumber`.
  open private(set) var result: Any?
  /// The type of ``result``, which is the result type of the request.
  open private(set) var resultType: NSBatchUpdateRequestResultType

  /// Creates a result object whose ``result`` is nil.
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
