/// How an entity mapping treats the objects of its source entity.
///
/// > Reference: Apple, NSEntityMappingType.
public enum NSEntityMappingType: UInt, Sendable {
  /// Not said; treated as a custom mapping.
  case undefinedEntityMappingType = 0
  /// As an entity migration policy says.
  case customEntityMappingType = 1
  /// The entity is new.
  case addEntityMappingType = 2
  /// The entity is removed with its objects.
  case removeEntityMappingType = 3
  /// The objects are copied unchanged.
  case copyEntityMappingType = 4
  /// The objects are copied with changed properties.
  case transformEntityMappingType = 5
}
