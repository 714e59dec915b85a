internal import Foundation

extension ModelArchiveWriter {
  /// Returns the entries for an entity's indexes; empty if the entity has no index.
  mutating func writeIndexes(of entity: NSEntityDescription) throws(ModelError) -> [Entry] {
    let compound = entity.names(in: entity.compoundIndexes)
    guard !entity.indexes.isEmpty || !compound.isEmpty else { return [] }
    var references: [Int] = []
    for index in entity.indexes { references.append(try write(index, of: entity)) }
    let indexes = archive.add("NSMutableArray", of: references)
    let derived = entity.compoundNames
    let groups = derived + compound.filter { !derived.contains($0) }
    return [
      ("NSFetchIndexDescriptions", .reference(indexes)),
      ("NSCompoundIndexes", .reference(list(of: groups))),
    ]
  }

  private mutating func write(
    _ index: NSFetchIndexDescription, of entity: NSEntityDescription
  ) throws(ModelError) -> Int {
    let indexReference = archive.reserve()
    var references: [Int] = []
    for element in index.elements {
      references.append(try write(element, of: indexReference))
    }
    let name = archive.add(index.name)
    let elements = archive.add("NSArray", of: references)
    let condition = try archive.add(index.partialIndexPredicate)
    archive.set(
      indexReference, "NSFetchIndexDescription",
      [
        ("NSIndexName", .reference(name)), ("NSIndexElements", .reference(elements)),
        ("NSPartialIndexPredicate", .reference(condition)),
        ("NSEntity", .reference(reference(toEntity: entity.name))),
      ])
    return indexReference
  }
}

extension NSEntityDescription {
  /// The property names of each index with several columns, for older frameworks.
  ///
  /// Older frameworks support neither relationships in indexes nor expressions other than key
  /// paths.
  var compoundNames: [[String]] {
    indexes.compactMap { index in
      let names = index.elements.compactMap(\.compoundName)
      return names.count > 1 && names.count == index.elements.count ? names : nil
    }
  }
}
