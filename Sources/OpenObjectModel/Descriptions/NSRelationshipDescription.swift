internal import Foundation

/// What happens to the destinations of a relationship when the source object is deleted.
///
/// > Reference: Apple, NSDeleteRule.
public enum NSDeleteRule: UInt, Sendable {
  case noActionDeleteRule = 0
  case nullifyDeleteRule = 1
  case cascadeDeleteRule = 2
  case denyDeleteRule = 3
}

/// A description of a relationship of an entity.
///
/// > Reference: Apple, NSRelationshipDescription.
open class NSRelationshipDescription: NSPropertyDescription {
  private var destination: WeakReference<NSEntityDescription>?
  private weak var inverse: NSRelationshipDescription?

  /// The entity of the destinations; nil until you set the entity.
  open var destinationEntity: NSEntityDescription? {
    get { destination?.target }
    set {
      checkMutable()
      destination = newValue?.weakReference
    }
  }

  /// The inverse relationship; nil if the relationship has no inverse. Set this property on both
  /// relationships.
  open var inverseRelationship: NSRelationshipDescription? {
    get { inverse }
    set {
      checkMutable()
      inverse = newValue
    }
  }

  /// The maximum number of destinations: 1 for a to-one relationship, 0 for no limit.
  open var maxCount = 0 { didSet { checkMutable() } }
  /// The minimum number of destinations; an optional relationship may also be empty.
  open var minCount = 0 { didSet { checkMutable() } }
  /// What happens to the destinations when the source object is deleted.
  open var deleteRule: NSDeleteRule = .nullifyDeleteRule { didSet { checkMutable() } }
  /// Whether the destinations are ordered.
  open var isOrdered = false { didSet { checkMutable() } }
  /// Whether the relationship can have several destinations.
  open var isToMany: Bool { maxCount != 1 }
}
