internal import Foundation
internal import OpenPredicates

extension ModelArchiveReader {
  /// Reads the uniqueness constraints and indexes of an entity whose properties are complete.
  mutating func readIndexes(
    _ object: ArchivedObject, into entity: NSEntityDescription
  ) throws(ModelError) {
    entity.uniquenessConstraints = try groups("NSUniqueTuples", of: object)
    let known = entity.propertiesByName
    var indexes: [NSFetchIndexDescription] = []
    for value in try object.members("NSFetchIndexDescriptions") ?? [] {
      guard let index = value.object else { throw object.mismatch("NSFetchIndexDescriptions") }
      do {
        indexes.append(try self.index(index, known))
      } catch {
        var located = error
        located.entityName = entity.name
        throw located
      }
    }
    entity.indexes = indexes
    // Archives repeat the contents of indexes; only the remaining groups are kept.
    let derived = Set(entity.compoundNames)
    entity.compoundIndexes = try groups("NSCompoundIndexes", of: object)
      .filter { !derived.contains($0) }
  }

  /// Reads lists of names, in which properties may appear instead of their names.
  private func groups(_ key: String, of object: ArchivedObject) throws(ModelError) -> [[String]] {
    var groups: [[String]] = []
    for value in try object.members(key) ?? [] {
      guard let members = try value.object?.members() else { throw object.mismatch(key) }
      var names: [String] = []
      for member in members {
        if let name = try member.text() {
          names.append(name)
        } else if let name = try member.object?.string("NSPropertyName") {
          names.append(name)
        } else {
          throw object.mismatch(key)
        }
      }
      groups.append(names)
    }
    return groups
  }

  private mutating func index(
    _ object: ArchivedObject, _ known: [String: NSPropertyDescription]
  ) throws(ModelError) -> NSFetchIndexDescription {
    var elements: [NSFetchIndexElementDescription] = []
    for value in try object.members("NSIndexElements") ?? [] {
      guard let element = value.object else { throw object.mismatch("NSIndexElements") }
      elements.append(try self.element(element, known))
    }
    let index = NSFetchIndexDescription(
      name: try object.string("NSIndexName") ?? "", elements: elements)
    if let condition = try object.object("NSPartialIndexPredicate") {
      index.partialIndexPredicate = .from(try properties.predicates.predicate(condition))
    }
    return index
  }

  /// Reads the configurations of a model whose entities are complete.
  func readConfigurations(
    _ root: ArchivedObject, into model: NSManagedObjectModel
  ) throws(ModelError) {
    for (key, value) in try root.entries("NSConfigurations") ?? [] {
      guard let name = try key.text(), let members = try value.object?.members() else {
        throw root.mismatch("NSConfigurations")
      }
      var names: Set<String> = []
      for member in members {
        if let entity = try member.object?.string("NSEntityName") { names.insert(entity) }
      }
      model.setEntities(
        names.sorted().compactMap { entities[$0] }, forConfigurationName: name)
    }
  }
}
