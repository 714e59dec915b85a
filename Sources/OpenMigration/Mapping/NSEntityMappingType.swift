/// The kind of an entity mapping, which determines what happens to the objects of the source
/// entity.
///
/// > Reference: Apple, NSEntityMappingType.
public enum NSEntityMappingType: UInt, Sendable {
  /// The kind is not specified. The mapping is treated as a custom mapping.
  case undefinedEntityMappingType = 0
  /// An entity migration policy migrates the objects.
  case customEntityMappingType = 1
  /// The entity is new in the destination model.
  case addEntityMappingType = 2
  /// The entity is removed together with its objects.
  case removeEntityMappingType = 3
  /// The objects are copied unchanged.
  case copyEntityMappingType = 4
  /// The objects are copied with changed properties.
  case transformEntityMappingType = 5
}
