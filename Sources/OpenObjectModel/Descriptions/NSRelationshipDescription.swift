internal import Foundation

/// A rule that determines what happens to the destinations of a relationship when the source object
/// is deleted.
///
/// > Reference: Apple, NSDeleteRule.
public enum NSDeleteRule: UInt, Sendable {
  /// The destinations are not changed.
  case noActionDeleteRule = 0
  /// The inverse relationships of the destinations no longer refer to the source object.
  case nullifyDeleteRule = 1
  /// The destinations are also deleted.
  case cascadeDeleteRule = 2
  /// A source object with destinations cannot be deleted; the save throws `CocoaError` 1600.
  case denyDeleteRule = 3
}

/// A description of a relationship of an entity.
///
/// > Concurrency: Confined to one thread until the model is used; afterward, any thread may read
/// > the description.
/// > Reference: Apple, NSRelationshipDescription.
open class NSRelationshipDescription: NSPropertyDescription {
  private var destination: WeakReference<NSEntityDescription>?
  private weak var inverse: NSRelationshipDescription?
  /// The names of the destination and of the inverse of the relationship that was copied; nil if
  /// the relationship is not a copy, or after another destination or inverse was set.
  private var copiedDestinationName: String?
  private var copiedInverseName: String?

  /// The entity of the destinations; nil until you set the entity.
  ///
  /// ``NSManagedObjectModel/compiled()`` throws `ModelError` with code `.unknownEntity` if the
  /// value is nil or the entity is not in the model.
  ///
  /// A copy of a relationship has the destination of the original if the model of the copy contains
  /// this entity. Otherwise, the destination is the entity with the same name in the model of the
  /// copy or, without such an entity, the destination of the original.
  open var destinationEntity: NSEntityDescription? {
    get {
      let target = destination?.target
      guard let copiedDestinationName, let model = owner?.owner, target?.owner !== model else {
        return target
      }
      return model.entities.first { $0.name == copiedDestinationName } ?? target
    }
    set {
      checkMutable()
      destination = newValue?.weakReference
      copiedDestinationName = nil
    }
  }

  /// The inverse relationship; nil if the relationship has no inverse. Set this property on both
  /// relationships; otherwise, ``NSManagedObjectModel/compiled()`` throws `ModelError` with code
  /// `.danglingInverse`.
  ///
  /// The copies of two inverse relationships are also inverses of each other, if the destination of
  /// each copy is the entity of the other copy.
  open var inverseRelationship: NSRelationshipDescription? {
    get { inverse ?? copiedInverse }
    set {
      checkMutable()
      inverse = newValue
      copiedInverseName = nil
    }
  }

  /// The copy of the original's inverse; nil unless this copy is the inverse of that copy.
  private var copiedInverse: NSRelationshipDescription? {
    guard let copiedInverseName,
      let copy = destinationEntity?.relationshipsByName[copiedInverseName],
      copy.inverse == nil, copy.copiedInverseName == name,
      copy.destinationEntity?.relationshipsByName[name] === self
    else { return nil }
    return copy
  }

  /// Adopts the destination of the relationship that was copied, and the names by which this copy
  /// finds its destination and its inverse in another model.
  func adoptDestination(of original: NSRelationshipDescription) {
    let target = original.destinationEntity
    destinationEntity = target
    copiedDestinationName = target?.name ?? original.copiedDestinationName
    copiedInverseName = original.inverseRelationship?.name ?? original.copiedInverseName
  }

  /// The maximum number of destinations: 1 for a to-one relationship; 0, the default, for no limit.
  open var maxCount = 0 { didSet { checkMutable() } }
  /// The minimum number of destinations; 0 by default. An optional relationship may also be empty.
  open var minCount = 0 { didSet { checkMutable() } }
  /// The rule that determines what happens to the destinations when the source object is deleted;
  /// `.nullifyDeleteRule` by default.
  open var deleteRule: NSDeleteRule = .nullifyDeleteRule { didSet { checkMutable() } }
  /// Whether the destinations are ordered; false by default.
  open var isOrdered = false { didSet { checkMutable() } }
  /// Whether the relationship can have several destinations.
  open var isToMany: Bool { maxCount != 1 }
}
