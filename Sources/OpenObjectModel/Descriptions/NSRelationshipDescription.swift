internal import Foundation

/// The effect of deleting an object on the destinations of a relationship.
///
/// > Reference: Apple, NSDeleteRule.
public enum NSDeleteRule: UInt, Sendable {
  case noActionDeleteRule = 0
  case nullifyDeleteRule = 1
  case cascadeDeleteRule = 2
  case denyDeleteRule = 3
}

/// One relationship of an entity.
///
/// > Reference: Apple, NSRelationshipDescription.
open class NSRelationshipDescription: NSPropertyDescription {
  private var destination: WeakReference<NSEntityDescription>?
  private weak var inverse: NSRelationshipDescription?

  /// The destination entity.
  open var destinationEntity: NSEntityDescription? {
    get { destination?.target }
    set {
      checkMutable()
      destination = newValue?.weakReference
    }
  }

  /// The inverse relationship; set it on both sides.
  open var inverseRelationship: NSRelationshipDescription? {
    get { inverse }
    set {
      checkMutable()
      inverse = newValue
    }
  }

  /// The maximum number of destinations: 1 for a to-one relationship, 0 for no limit.
  open var maxCount = 0 { didSet { checkMutable() } }
  /// The minimum number of destinations of an object that has any.
  open var minCount = 0 { didSet { checkMutable() } }
  /// The effect of deleting the source on the destinations.
  open var deleteRule: NSDeleteRule = .nullifyDeleteRule { didSet { checkMutable() } }
  /// Whether the destinations have an order.
  open var isOrdered = false { didSet { checkMutable() } }
  /// Whether there can be several destinations.
  open var isToMany: Bool { maxCount != 1 }
}
