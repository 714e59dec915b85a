public import Foundation
public import OpenObjectModel
public import OpenPredicates
internal import OpenStoreContract

/// The ways in which a transaction can change an object.
///
/// > Reference: Apple, NSPersistentHistoryChangeType.
public enum NSPersistentHistoryChangeType: Int, Sendable {
  /// The transaction inserted the object.
  case insert = 0
  /// The transaction changed properties of the object.
  case update = 1
  /// The transaction deleted the object.
  case delete = 2
}

/// A change to one object, as recorded in a store's history.
///
/// The object may no longer exist, because a later transaction may have deleted it.
///
/// > Concurrency: Immutable; usable on any thread.
/// > Reference: Apple, NSPersistentHistoryChange.
// Invariant of the unchecked conformance: all fields are set by the initializers only.
open class NSPersistentHistoryChange: NSObject, NSCopying, @unchecked Sendable {
  /// The number of the change in its store, starting at 1; 0 for a change created with ``init()``.
  open private(set) var changeID: Int64
  /// The id of the changed object.
  open private(set) var changedObjectID: NSManagedObjectID
  /// The kind of change.
  open private(set) var changeType: NSPersistentHistoryChangeType
  /// The transaction that contains the change.
  ///
  /// The value is nil only for a change that was created with ``init()``. Otherwise, the value is a
  /// copy of the transaction without its changes, so the `changes` property of the copy is nil.
  open private(set) var transaction: NSPersistentHistoryTransaction?
  private let updated: OrdinalSet
  private let kept: [Int: Value]

  /// Creates a change of the type `update` without an object, for use in tests; a subclass can
  /// override the properties.
  public override init() {
    changeID = 0
    changedObjectID = NSManagedObjectID()
    changeType = .update
    updated = OrdinalSet()
    kept = [:]
    super.init()
  }

  init(
    _ change: StoreHistoryChange, id: NSManagedObjectID, transaction: NSPersistentHistoryTransaction
  ) {
    changeID = change.number
    changedObjectID = id
    changeType = NSPersistentHistoryChangeType(rawValue: Int(change.kind.rawValue)) ?? .update
    self.transaction = transaction
    updated = change.updated
    kept = change.tombstone
    super.init()
  }

  /// A description with the number and kind of the change, the changed object and the changed
  /// properties.
  open override var description: String {
    DebugText.text(
      of: self,
      [
        "changeID": changeID, "changeType": changeType, "changedObjectID": changedObjectID,
        "updatedProperties": updatedProperties.map { properties in
          properties.map(\.name).sorted().map(DebugText.Verbatim.init)
        },
      ])
  }

  /// The preserved attribute values of a deleted object, by attribute name; nil if the change is
  /// not a deletion, or if the store preserved no values.
  ///
  /// The dictionary omits values that cannot be decoded.
  open var tombstone: [AnyHashable: Any]? {
    guard changeType == .delete, !kept.isEmpty else { return nil }
    var values: [AnyHashable: Any] = [:]
    for (ordinal, value) in kept {
      guard let property = property(ordinal), let any = any(value, property) else { continue }
      values[property.name] = any
    }
    return values
  }

  private func any(_ value: Value, _ property: CompiledProperty) -> Any? {
    if case .data(let data) = value, property.attribute?.type == .transformable {
      // A value that cannot be read is logged.
      return try? AttributeTransform.value(
        from: data, property, of: changedObjectID.compiledEntity)
    }
    return value.anyValue
  }

  /// The changed properties, if the change is an update; otherwise nil.
  open var updatedProperties: Set<NSPropertyDescription>? {
    guard changeType == .update else { return nil }
    let names = updated.members.compactMap { property($0)?.name }
    let descriptions = changedObjectID.entity.propertiesByName
    // A changed element is reported as its composite attribute.
    return Set(names.compactMap { descriptions[String($0.prefix { $0 != "." })] })
  }

  private func property(_ ordinal: Int) -> CompiledProperty? {
    let properties = changedObjectID.compiledEntity.properties
    return properties.indices.contains(ordinal) ? properties[ordinal] : nil
  }

  /// The entity for requests that fetch changes; never nil.
  ///
  /// The predicate and the sort descriptors of a fetch request for this entity can use the keys
  /// `changeID` (or `changedID`), `changeType`, `changedEntity`, `changedObjectID`, `tombstone` and
  /// `transaction`. A key path that continues after `transaction` uses the keys of
  /// ``NSPersistentHistoryTransaction/entityDescription``. For any other key, executing the history
  /// request throws `CocoaError` 134060.
  ///
  /// ```swift
  /// let request = NSFetchRequest<any NSFetchRequestResult>()
  /// request.entity = NSPersistentHistoryChange.entityDescription
  /// request.predicate = NSPredicate(
  ///   format: "changeType == %d", NSPersistentHistoryChangeType.delete.rawValue)
  /// let history = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: request)
  /// history.resultType = .changesOnly
  /// ```
  ///
  /// > Reference: Apple, NSPersistentHistoryChange, entityDescription. Differs: available even
  /// > without a store that records history.
  open class var entityDescription: NSEntityDescription? { HistoryEntities.change }

  /// Returns the entity for requests that fetch changes.
  ///
  /// - Parameter context: A context, which does not affect the result.
  /// - Returns: The same entity as `entityDescription`.
  open class func entityDescription(
    with context: NSManagedObjectContext
  ) -> NSEntityDescription? { entityDescription }

  /// A new fetch request for changes, which you can pass to `fetchHistory(withFetch:)`; never nil.
  open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    HistoryEntities.request(for: entityDescription)
  }

  /// Returns the change itself, because changes are immutable.
  ///
  /// - Returns: The change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether another object is the same change in the same transaction.
  ///
  /// - Parameter object: The object to compare.
  /// - Returns: `true` if the object is a change with an equal number and an equal transaction.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentHistoryChange else { return false }
    return other.changeID == changeID && other.transaction == transaction
  }

  /// A hash value; equal changes have equal hash values.
  open override var hash: Int { changeID.hashValue }
}

extension NSPersistentHistoryChange: KeyValueReadable {
  /// Returns the value of a property, for evaluating predicates.
  ///
  /// - Parameter key: The name of the property.
  /// - Returns: The value of the property; nil if the property has no value; `NoSuchKey.marker` if
  ///   no property has the name.
  public func readableValue(forKey key: String) -> Any? {
    switch key {
    case "changeID", "changedID": NSNumber(value: changeID)
    case "changeType": NSNumber(value: changeType.rawValue)
    case "changedObjectID": changedObjectID
    case "changedEntity": changedObjectID.entity
    case "transaction": transaction
    case "tombstone": tombstone
    case "updatedProperties": updatedProperties
    default: NoSuchKey.marker
    }
  }
}
