/// How an entity mapping treats the objects of its source entity.
///
/// > Reference: Apple, NSEntityMappingType.
public enum NSEntityMappingType: UInt, Sendable {
  /// Not said; treated as a custom mapping.
  case undefinedEntityMappingType = 0
  /// As an entity migration policy says.
  case customEntityMappingType = 1
  /// The entity is new; there is nothing to bring over.
  case addEntityMappingType = 2
  /// The entity goes; its objects are not brought over.
  case removeEntityMappingType = 3
  /// The objects are brought over as they are.
  case copyEntityMappingType = 4
  /// The objects are brought over with changed properties.
  case transformEntityMappingType = 5
}
