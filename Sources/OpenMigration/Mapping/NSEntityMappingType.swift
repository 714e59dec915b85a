/// The type of an entity mapping, which determines what happens to the objects of the source
/// entity.
///
/// A migration manager treats undefined, custom, copy and transform mappings alike: the entity
/// migration policy and the property mappings determine the new objects.
///
/// > Reference: Apple, NSEntityMappingType.
public enum NSEntityMappingType: UInt, Sendable {
  /// The type is not specified. A migration manager treats the mapping as a custom mapping.
  case undefinedEntityMappingType = 0
  /// An entity migration policy migrates the objects.
  case customEntityMappingType = 1
  /// The entity is new in the destination model and has no source objects.
  case addEntityMappingType = 2
  /// The destination model does not contain the entity, and its objects are not migrated.
  case removeEntityMappingType = 3
  /// The objects keep all property values.
  case copyEntityMappingType = 4
  /// The entity's properties differ between the models, and the property mappings determine the new
  /// values.
  case transformEntityMappingType = 5
}
