public import Foundation
public import class OpenPredicates.NSExpression

/// A mapping that specifies how objects of a source entity become objects of a destination entity.
///
/// > Concurrency: Use a mapping on one thread at a time.
/// > Reference: Apple, NSEntityMapping.
open class NSEntityMapping: NSObject {
  private var givenName: String?

  /// The name of the mapping, which must be unique in the mapping model.
  ///
  /// The default consists of the names of both entities, as in `Source->Destination`. A nil entity
  /// name counts as an empty string. Setting nil restores the default.
  open var name: String! {
    get { givenName ?? "\(sourceEntityName ?? "")->\(destinationEntityName ?? "")" }
    set { givenName = newValue }
  }
  /// The type of the mapping, which determines what happens to the source objects; the default is
  /// `.undefinedEntityMappingType`.
  open var mappingType = NSEntityMappingType.undefinedEntityMappingType
  /// The name of the source entity; nil if the mapping adds an entity.
  open var sourceEntityName: String?
  /// The version hash of the source entity. If the hash is nil, the migration manager does not
  /// check that the mapping matches the version of the source entity.
  open var sourceEntityVersionHash: Data?
  /// The name of the destination entity; nil if the mapping removes an entity.
  open var destinationEntityName: String?
  /// The version hash of the destination entity. If the hash is nil, the migration manager does not
  /// check that the mapping matches the version of the destination entity.
  open var destinationEntityVersionHash: Data?
  /// The mappings that determine the values of the destination entity's attributes; nil if the
  /// mapping does not set attributes.
  open var attributeMappings: [NSPropertyMapping]?
  /// The mappings that determine the destinations of the destination entity's relationships; nil if
  /// the mapping does not set relationships.
  open var relationshipMappings: [NSPropertyMapping]?
  /// The expression that yields the source objects. If the expression is nil, the migration manager
  /// migrates all objects of the source entity, but not the objects of its subentities.
  open var sourceExpression: NSExpression?
  /// Application-defined information about the mapping; nil by default.
  ///
  /// In an inferred mapping, the dictionary contains sets of property names under the keys
  /// `mappedProperties`, `addedProperties` and `removedProperties`.
  open var userInfo: [AnyHashable: Any]?
  /// The name of the entity migration policy class; nil for the standard policy.
  open var entityMigrationPolicyClassName: String?

  /// Creates a mapping without entities.
  public override init() { super.init() }
}
