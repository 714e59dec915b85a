internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

extension PredicateLowering {
  /// Lowers a full-text search in the attributes of an object; returns nil for a search in one
  /// string.
  ///
  /// - Throws: `StoreError` for an attribute that is not a string, and for an object without
  ///   attributes to search.
  mutating func search(_ left: Term, _ right: Term) throws -> Filter? {
    guard case .operand(.property(var path), let kind) = left else { return nil }
    if let property = path.property(in: model) {
      guard property.relationship != nil else {
        try refuseOpaque(kind)
        guard kind.family == .text else {
          throw unsupported("CONTAINSWORDS can search only strings and objects.", property.name)
        }
        return nil
      }
      path.steps.append(property.ordinal)
      path.end = .object
    }
    let object = path.reachedEntity(in: model)
    var attributes: [Int: [Int]] = [:]
    for index in object.subtree { attributes[index] = model.entities[index].searchedAttributes }
    guard attributes.contains(where: { !$0.value.isEmpty }) else {
      throw unsupported(
        "The entity \(object.name) has no attributes to search. Set isIndexedBySpotlight of its string attributes, or name an "
          + "attribute before CONTAINSWORDS.")
    }
    guard case .binding(let query) = try operand(right, of: ValueKind(family: .text)) else {
      throw unsupported(
        "When CONTAINSWORDS searches an object, the search words must be the same for all rows.")
    }
    return .containsWords(path, attributes: attributes, query: query)
  }
}
