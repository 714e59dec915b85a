internal import OpenObjectModel
internal import OpenPredicates

extension NSManagedObject: WordSearchable {
  package final var searchedTexts: [String]? {
    let ordinals = compiledEntity.searchedAttributes
    if ordinals.isEmpty { return nil }
    return ordinals.compactMap { value(forKey: compiledEntity.properties[$0].name) as? String }
  }
}
