internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

// Casts of objects to a subentity.

extension PredicateLowering {
  /// Lowers a property of an object that is cast to an entity; null if the object belongs to
  /// another entity.
  ///
  /// - Parameters:
  ///   - node: The fetched object, or the member of a subquery.
  ///   - name: The name of the entity.
  ///   - segments: The path from the object; empty for the object itself.
  mutating func object(
    _ node: ExpressionNode, as name: String, _ segments: [String]
  ) throws -> Term {
    guard case .operand(.property(var object), _) = try term(node), object.steps.isEmpty,
      object.end == .object, let entity = model.entity(named: name)
    else { throw Untranslatable(reason: "a cast of a relationship's destination") }
    let scope = scopes.count - 1 - object.level
    guard scopes[scope].subtree.contains(entity.index) else {
      // A cast to the object's own entity or to a super-entity.
      guard entity.subtree.contains(scopes[scope].index) else {
        throw Untranslatable(reason: "a cast to an unrelated entity")
      }
      return try path(segments, from: scope)
    }
    if segments == ["self", "entity"] { throw Untranslatable(reason: "a type test of a cast") }
    let test = Filter.isKind(object, entities: Array(entity.subtree))
    object.entityIndex = entity.index
    guard !segments.isEmpty else {
      let kind = ValueKind(objectsOf: entity)
      return .operand(.conditional(test, .property(object), bind(.constant(.null))), kind)
    }
    guard
      case .property(var path, let property) = try PathResolver(entity: entity).resolve(segments)
    else { throw Untranslatable(reason: "a to-many relationship of a sub-entity") }
    path.level = object.level
    let kind =
      try property.map { try ValueKind($0, in: entity) }
      ?? ValueKind(
        objectsOf: path.reachedEntity(in: model))
    return .operand(.conditional(test, .property(path), bind(.constant(.null))), kind)
  }
}
