public import CoreData

/// A property of an entity of a sample's model.
public struct SampleProperty {
  /// Creates the description; destinations are resolved by name after all entities exist.
  let make: (_ entities: [String: NSEntityDescription]) -> NSPropertyDescription
  /// The inverse relationship.
  let inverse: String?

  /// An optional attribute.
  public static func attribute(
    _ name: String, _ type: NSAttributeType = .stringAttributeType, isSearched: Bool = false
  ) -> SampleProperty {
    SampleProperty(
      make: { _ in
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        attribute.isIndexedBySpotlight = isSearched
        return attribute
      }, inverse: nil)
  }

  /// A relationship to one object.
  public static func one(_ name: String, _ destination: String, _ inverse: String) -> SampleProperty
  {
    relationship(name, destination, inverse, maximum: 1)
  }

  /// A relationship to any number of objects.
  public static func many(
    _ name: String, _ destination: String, _ inverse: String
  ) -> SampleProperty {
    relationship(name, destination, inverse, maximum: 0)
  }

  private static func relationship(
    _ name: String, _ destination: String, _ inverse: String, maximum: Int
  ) -> SampleProperty {
    SampleProperty(
      make: { entities in
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = entities[destination]
        relationship.maxCount = maximum
        return relationship
      }, inverse: inverse)
  }
}

/// A model of entities whose classes have their names.
///
/// - Parameters:
///   - entities: The properties of each entity.
///   - unique: The attribute of an entity that no two objects have alike.
public func sampleModel(
  _ entities: [String: [SampleProperty]], unique: [String: String] = [:]
) -> NSManagedObjectModel {
  var descriptions: [String: NSEntityDescription] = [:]
  for name in entities.keys {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = name
    descriptions[name] = entity
  }
  for (name, properties) in entities {
    descriptions[name]?.properties = properties.map { $0.make(descriptions) }
    if let attribute = unique[name] { descriptions[name]?.uniquenessConstraints = [[attribute]] }
  }
  for (name, properties) in entities {
    for (property, sample) in zip(descriptions[name]?.properties ?? [], properties) {
      guard let relationship = property as? NSRelationshipDescription, let inverse = sample.inverse
      else { continue }
      relationship.inverseRelationship =
        relationship.destinationEntity?.relationshipsByName[inverse]
    }
  }
  let model = NSManagedObjectModel()
  model.entities = entities.keys.sorted().compactMap { descriptions[$0] }
  return model
}
