internal import Foundation
internal import OpenPredicates

/// Converts entity mappings to an archived mapping model with Apple's keys.
struct MappingArchiveWriter {
  private typealias Entry = KeyedArchiveWriter.Entry
  private var archive = KeyedArchiveWriter(calls: .methods)

  /// Returns the archive of mappings.
  ///
  /// - Throws: `ModelError` with code `.unarchivable` and the names of the entity and the property.
  mutating func data(_ mappings: [EntityMappingRecord]) throws(ModelError) -> Data {
    let root = archive.reserve()
    var references: [Int] = []
    var named: [(key: Int, value: Int)] = []
    var names: Set<String> = []
    for mapping in mappings {
      let reference = try write(mapping)
      references.append(reference)
      if let name = mapping.name, names.insert(name).inserted {
        named.append((key: archive.add(name), value: reference))
      }
    }
    let list = archive.add("NSArray", of: references)
    let table = archive.add("NSMutableDictionary", named)
    archive.set(
      root, "NSMappingModel",
      [("NSEntityMappings", .reference(list)), ("NSEntityMappingsByName", .reference(table))])
    return archive.data(root: root)
  }

  private mutating func write(_ mapping: EntityMappingRecord) throws(ModelError) -> Int {
    do {
      let reference = archive.reserve()
      let name = archive.add(mapping.name)
      let source = archive.add(mapping.sourceEntityName)
      let destination = archive.add(mapping.destinationEntityName)
      let sourceHash = add(mapping.sourceEntityVersionHash)
      let destinationHash = add(mapping.destinationEntityVersionHash)
      let policy = archive.add(mapping.policyClassName)
      let expression = try add(mapping.sourceExpression)
      let attributes = try add(mapping.attributeMappings)
      let relationships = try add(mapping.relationshipMappings)
      let userInfo = try archive.add(any: mapping.userInfo)
      archive.set(
        reference, "NSEntityMapping",
        [
          ("NSMappingName", .reference(name)), ("NSMappingType", .int(Int(mapping.type))),
          ("NSSourceEntityName", .reference(source)),
          ("NSSourceEntityVersionHash", .reference(sourceHash)),
          ("NSDestinationEntityName", .reference(destination)),
          ("NSDestinationEntityVersionHash", .reference(destinationHash)),
          ("NSSourceExpression", .reference(expression)),
          ("NSAttributeMappings", .reference(attributes)),
          ("NSRelationshipMappings", .reference(relationships)),
          ("NSEntityMigrationPolicyClassName", .reference(policy)),
          ("NSUserInfo", .reference(userInfo)),
        ])
      return reference
    } catch {
      var located = error
      located.entityName = mapping.destinationEntityName ?? mapping.sourceEntityName
      throw located
    }
  }

  /// Writes property mappings and returns their reference; nil becomes the null reference.
  private mutating func add(_ mappings: [PropertyMappingRecord]?) throws(ModelError) -> Int {
    guard let mappings else { return KeyedArchiveWriter.null }
    var references: [Int] = []
    for mapping in mappings {
      do {
        let name = archive.add(mapping.name)
        let expression = try add(mapping.valueExpression)
        let userInfo = try archive.add(any: mapping.userInfo)
        references.append(
          archive.add(
            "NSPropertyMapping",
            [
              ("NSDestinationPropertyName", .reference(name)),
              ("NSValueExpression", .reference(expression)),
              ("NSPropertyTransforms", .reference(KeyedArchiveWriter.null)),
              ("NSUserInfo", .reference(userInfo)),
            ]))
      } catch {
        var located = error
        located.propertyName = mapping.name
        throw located
      }
    }
    return archive.add("NSArray", of: references)
  }

  private mutating func add(_ expression: OpenPredicates.NSExpression?) throws(ModelError) -> Int {
    guard let expression else { return KeyedArchiveWriter.null }
    guard expression.formatError == nil else {
      throw .unarchivable("An expression could not be parsed.")
    }
    return try archive.add(expression.node)
  }

  private mutating func add(_ data: Data?) -> Int {
    guard let data else { return KeyedArchiveWriter.null }
    return archive.add(scalar: .data(data))
  }
}
