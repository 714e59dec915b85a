internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// Finds the properties that the segments of dotted key paths name, starting at an entity.
struct PathResolver {
  let entity: CompiledEntity

  /// A path that is resolved up to its first to-many relationship.
  enum Resolved {
    case property(PropertyPath, CompiledProperty?)
    /// The path to the first to-many relationship, and the segments after the relationship.
    case toMany(RelationshipPath, destination: CompiledEntity, rest: [String])
  }

  /// The end of a path as a term, or the first to-many relationship of the path.
  enum Reached {
    case term(Term)
    case toMany(RelationshipPath, destination: CompiledEntity, rest: [String])
  }

  /// Resolves a path, and sets the level of the result.
  func reached(_ segments: [String], level: Int) throws -> Reached {
    if var path = measuredText(segments) {
      path.level = level
      return .term(
        .operand(.function("length:", [.property(path)]), ValueKind(family: .number)))
    }
    switch try resolve(segments) {
    case .property(var path, let property):
      path.level = level
      let kind = try property.map { try ValueKind($0, in: entity) }
      return .term(
        .operand(
          .property(path), kind ?? ValueKind(objectsOf: path.reachedEntity(in: entity.model))))
    case .toMany(var path, let destination, let rest):
      path.level = level
      return .toMany(path, destination: destination, rest: rest)
    }
  }

  /// Returns the path to the string attribute whose length a path reads, as in `name.length`; nil
  /// for any other path.
  private func measuredText(_ segments: [String]) -> PropertyPath? {
    guard segments.count > 1, segments.last == "length",
      // If the keys before `length` cannot be resolved, the error is that of the whole path.
      case .property(let path, let property?)? = try? resolve(Array(segments.dropLast())),
      property.attribute?.type == .string
    else { return nil }
    return path
  }

  /// Resolves a path that must not contain a to-many relationship.
  func propertyPath(_ segments: [String]) throws -> PropertyPath {
    switch try resolve(segments) {
    case .property(let path, _): return path
    case .toMany:
      throw error(
        "A to-many key is not allowed here.", segments.joined(separator: "."))
    }
  }

  func resolve(_ segments: [String]) throws -> Resolved {
    var reached = entity
    var steps: [Int] = []
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      let isObject = segment == "self" || segment == "SELF"
      if isObject, !isLast, reached.ordinal(of: segment) == nil { continue }
      // As in key-value coding, a property of the model has priority over the object's id.
      let isID = segment == "objectID" && reached.ordinal(of: segment) == nil
      if isObject || isID, isLast {
        return .property(
          PropertyPath(entityIndex: entity.index, steps: steps, end: .object), nil)
      }
      let property = try property(segment, in: reached, of: segments)
      guard let relationship = property.relationship else {
        let element = try element(property, Array(segments[(index + 1)...]), reached, segments)
        return .property(path(steps, element), element)
      }
      let destination = reached.model.entities[relationship.destinationIndex]
      if relationship.isToMany {
        return .toMany(
          RelationshipPath(entityIndex: entity.index, steps: steps, ordinal: property.ordinal),
          destination: destination, rest: Array(segments[(index + 1)...]))
      }
      if isLast { return .property(path(steps, property), property) }
      steps.append(property.ordinal)
      reached = destination
    }
    return .property(PropertyPath(entityIndex: entity.index, steps: steps, end: .object), nil)
  }

  /// Returns the attribute, or the element of a composite attribute that the rest of a path names.
  private func element(
    _ attribute: CompiledProperty, _ rest: [String], _ reached: CompiledEntity,
    _ segments: [String]
  ) throws -> CompiledProperty {
    let whole = segments.joined(separator: ".")
    guard let elements = attribute.attribute?.elements, !elements.isEmpty else {
      if rest.isEmpty { return attribute }
      if attribute.attribute?.type == .transformable {
        throw Untranslatable(reason: "the transformable attribute \(attribute.name)")
      }
      let type = attribute.attribute?.type
      if rest == ["length"], type == .string || type == .binaryData {
        throw Untranslatable(reason: "the length of the attribute \(attribute.name)")
      }
      throw error("A key path cannot continue after an attribute.", whole)
    }
    let steps = [attribute.name] + rest
    // An enumeration is a composite attribute of one element, which has the attribute's name.
    for names in [steps, steps + steps.suffix(1)] {
      if let ordinal = reached.ordinal(of: names.joined(separator: ".")),
        elements.contains(ordinal)
      {
        return reached.properties[ordinal]
      }
    }
    throw error(
      "The key path must name an element of the composite attribute \(attribute.name).", whole)
  }

  private func path(_ steps: [Int], _ property: CompiledProperty) -> PropertyPath {
    PropertyPath(
      entityIndex: entity.index, steps: steps, end: .property(ordinal: property.ordinal))
  }

  /// Returns a stored property by name, even if only a subentity has the property.
  private func property(
    _ name: String, in reached: CompiledEntity, of segments: [String]
  ) throws -> CompiledProperty {
    guard let ordinal = reached.ordinal(of: name) else {
      throw error(
        "keypath \(segments.joined(separator: ".")) not found in entity \(entity.name).", name)
    }
    let property = reached.properties[ordinal]
    if property.isTransient {
      throw Untranslatable(reason: "the transient property \(name)")
    }
    return property
  }

  private func error(_ message: String, _ key: String) -> StoreError {
    StoreError(.unsupportedPredicate, message, entityName: entity.name, propertyName: key)
  }
}
