internal import Foundation
internal import OpenObjectModel

/// The key path that section names come from, as it is checked before objects are fetched.
struct SectionKeyPath {
  private let path: String

  init(_ path: String) { self.path = path }

  /// Checks each step as far as the model knows what it yields.
  ///
  /// The first step has to be a property. Only the program knows what a transformable or transient attribute holds, so the
  /// steps behind such an attribute are not checked.
  ///
  /// - Throws: `CocoaError` naming the step that gives no name.
  func check(in entity: CompiledEntity) throws {
    try check(
      path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...], in: entity
    )
  }

  private func check(_ steps: ArraySlice<String>, in entity: CompiledEntity) throws {
    var reached = entity
    var rest = steps
    guard let first = rest.first, entity.ordinal(of: first) != nil else {
      throw unknown(rest.first ?? "", in: entity)
    }
    while let key = rest.popFirst() {
      guard let ordinal = reached.ordinal(of: key) else {
        try check(key, in: reached, isLast: rest.isEmpty)
        continue
      }
      let property = reached.properties[ordinal]
      guard let relationship = property.relationship else {
        return try check(rest, behind: property, in: reached)
      }
      if relationship.isToMany {
        return try check(rest, behindToMany: property, relationship, in: reached)
      }
      reached = reached.model.entities[relationship.destinationIndex]
    }
  }

  /// A step that is no property: what every object answers.
  private func check(_ key: String, in entity: CompiledEntity, isLast: Bool) throws {
    switch key {
    case "self", "SELF": return
    case "objectID", "entity":
      if isLast { return }
      throw unknown("\(key).…", in: entity)
    default: throw unknown(key, in: entity)
    }
  }

  private func check(
    _ rest: ArraySlice<String>, behind attribute: CompiledProperty, in entity: CompiledEntity
  ) throws {
    guard let next = rest.first, let type = attribute.attribute?.type, !attribute.isTransient else {
      return
    }
    switch type {
    case .transformable, .undefined: return
    case .string, .binaryData:
      // Texts and data answer this one key.
      if Array(rest) == ["length"] { return }
    default:
      let name = ([attribute.name] + rest).joined(separator: ".")
      if entity.ordinal(of: name) != nil { return }
    }
    throw unknown(next, in: entity)
  }

  /// A to-many relationship has a value for each object at its end, unless an operator makes one of them.
  private func check(
    _ rest: ArraySlice<String>, behindToMany property: CompiledProperty,
    _ relationship: CompiledRelationship, in entity: CompiledEntity
  ) throws {
    if Array(rest) == ["@count"] { return }
    if let name = rest.first, ["@sum", "@avg", "@min", "@max"].contains(name) {
      let destination = entity.model.entities[relationship.destinationIndex]
      return try check(rest.dropFirst(), in: destination)
    }
    throw CocoaError.make(
      .coreData,
      "The to-many relationship '\(property.name)' of the entity \(entity.name) gives no section name in "
        + "the key path '\(path)'. Name its @count, or a property behind to-one relationships.")
  }

  private func unknown(_ key: String, in entity: CompiledEntity) -> CocoaError {
    CocoaError.make(
      .coreData,
      "The section key path '\(path)' cannot be followed: the entity \(entity.name) has no property "
        + "'\(key)' there. Name a property of the model, or a path over to-one relationships.")
  }
}
