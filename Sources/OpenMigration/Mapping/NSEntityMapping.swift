public import Foundation
public import class OpenPredicates.NSExpression

/// How the objects of one source entity become objects of one destination entity.
///
/// > Concurrency: Used by one thread at a time.
/// > Reference: Apple, NSEntityMapping.
open class NSEntityMapping: NSObject {
  private var givenName: String?

  /// The mapping's name, which is unique in its model: `Source->Destination` unless it is set.
  open var name: String! {
    get { givenName ?? "\(sourceEntityName ?? "")->\(destinationEntityName ?? "")" }
    set { givenName = newValue }
  }
  /// The kind of mapping.
  open var mappingType = NSEntityMappingType.undefinedEntityMappingType
  /// The name of the source entity; nil for an entity that is added.
  open var sourceEntityName: String?
  /// The version hash of the source entity.
  open var sourceEntityVersionHash: Data?
  /// The name of the destination entity; nil for an entity that is removed.
  open var destinationEntityName: String?
  /// The version hash of the destination entity.
  open var destinationEntityVersionHash: Data?
  /// How the attributes of the destination entity get their values.
  open var attributeMappings: [NSPropertyMapping]?
  /// How the relationships of the destination entity get their destinations.
  open var relationshipMappings: [NSPropertyMapping]?
  /// The expression of the source objects; nil for all objects of the source entity itself.
  open var sourceExpression: NSExpression?
  /// Arbitrary values of the mapping; an inferred mapping has sets of names under `mappedProperties`, `addedProperties`
  /// and `removedProperties`.
  open var userInfo: [AnyHashable: Any]?
  /// The name of the class of the entity migration policy; nil for the standard one.
  open var entityMigrationPolicyClassName: String?

  /// Creates a mapping of no entities.
  public override init() { super.init() }
}
