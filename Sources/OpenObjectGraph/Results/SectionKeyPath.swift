internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates

/// The key path of section names, which can be checked with the model before a fetch and with the
/// fetched objects.
struct SectionKeyPath {
  private let path: String

  init(_ path: String) { self.path = path }

  private var steps: ArraySlice<String> {
    path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
  }

  /// Checks the steps with the model.
  ///
  /// The contents of transformable and transient attributes are unknown, so the steps after such an
  /// attribute are not checked.
  ///
  /// - Parameter entity: The entity of the fetched objects.
  /// - Returns: Whether the model determines all steps. If the result is false, a step may be an
  ///   accessor of a class, and ``check(on:)`` must check the steps with objects.
  /// - Throws: `CocoaError` 134060, which names the invalid step.
  func check(in entity: CompiledEntity) throws -> Bool { try check(steps, in: entity) }

  /// Checks the steps with an object and the accessors of its class, up to the first step without a
  /// value.
  ///
  /// - Parameter object: A fetched object.
  /// - Returns: Whether all steps have a value. If the result is false, the steps after the missing
  ///   value are unchecked.
  /// - Throws: `CocoaError` 134060, which names the first step that is not a property of its
  ///   object.
  func check(on object: NSManagedObject) throws -> Bool {
    var reached = object
    for step in steps {
      guard let value = reached.__stepValue(forKey: step) else { return false }
      if value is NoSuchKey { throw unknown(step, in: reached.compiledEntity) }
      guard let next = value as? NSManagedObject else { return true }
      reached = next
    }
    return true
  }

  private func check(_ steps: ArraySlice<String>, in entity: CompiledEntity) throws -> Bool {
    var reached = entity
    var rest = steps
    while let key = rest.popFirst() {
      guard let ordinal = reached.ordinal(of: key) else {
        if try check(key, in: reached, isLast: rest.isEmpty) { continue }
        return false
      }
      let property = reached.properties[ordinal]
      guard let relationship = property.relationship else {
        try check(rest, behind: property, in: reached)
        return true
      }
      if relationship.isToMany {
        try check(rest, behindToMany: property, relationship, in: reached)
        return true
      }
      reached = reached.model.entities[relationship.destinationIndex]
    }
    return true
  }

  /// Checks a step that is not a property of the model. The step may be a key of every object or an
  /// accessor of the class.
  ///
  /// - Returns: Whether the step is a key of every object, such as `objectID`.
  private func check(_ key: String, in entity: CompiledEntity, isLast: Bool) throws -> Bool {
    switch key {
    case "self", "SELF": return true
    case "objectID", "entity":
      if isLast { return true }
      throw unknown("\(key).…", in: entity)
    case "": throw unknown(key, in: entity)
    default:
      if entity.className != "NSManagedObject" { return false }
      throw unknown(key, in: entity)
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

  /// Checks the steps after a to-many relationship, which must begin with a collection operator so
  /// that they result in one value.
  private func check(
    _ rest: ArraySlice<String>, behindToMany property: CompiledProperty,
    _ relationship: CompiledRelationship, in entity: CompiledEntity
  ) throws {
    if Array(rest) == ["@count"] { return }
    if let name = rest.first, ["@sum", "@avg", "@min", "@max"].contains(name) {
      let destination = entity.model.entities[relationship.destinationIndex]
      // Stores work operators out, and know no accessors.
      let steps = rest.dropFirst()
      if !steps.isEmpty, try check(steps, in: destination) { return }
      throw unknown(steps.last ?? "", in: destination)
    }
    throw CocoaError.make(
      .coreData,
      "The to-many relationship '\(property.name)' of the entity \(entity.name) cannot provide a section name for "
        + "the key path '\(path)'. Use its @count, or a property of a to-one destination.")
  }

  private func unknown(_ key: String, in entity: CompiledEntity) -> CocoaError {
    CocoaError.make(
      .coreData,
      "The section key path '\(path)' is invalid because the entity \(entity.name) has no property "
        + "'\(key)'. Use a property of the model, or a key path through to-one relationships.")
  }
}
