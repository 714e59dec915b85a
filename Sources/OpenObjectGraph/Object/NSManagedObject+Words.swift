internal import OpenObjectModel
internal import OpenPredicates

extension NSManagedObject: WordSearchable {
  /// The values of the attributes that a text query searches; nil if the entity has no such
  /// attributes.
  package final var searchedTexts: [String]? {
    let ordinals = compiledEntity.searchedAttributes
    if ordinals.isEmpty { return nil }
    realizeIfNeeded()
    return ordinals.compactMap { ordinal in
      noteRead(.property(ordinal))
      guard case .string(let text) = packedValue(compiledEntity.properties[ordinal]) else {
        return nil
      }
      return text
    }
  }
}
