internal import Foundation
internal import OpenPredicates

/// Converts an archived mapping model to records.
///
/// All limits apply to the whole archive, because an archive may refer to one object many times.
struct MappingArchiveReader {
  private var predicates = ArchivedPredicates(calls: .methods)
  private var contents = ArchivedContents()
  /// The number of entity and property mappings that may still be read.
  private var remaining = 100_000

  /// Returns the entity mappings.
  ///
  /// - Throws: `ModelError` with code `.malformed` if the archive is damaged.
  mutating func mappings(_ root: ArchivedObject) throws(ModelError) -> [EntityMappingRecord] {
    guard root.isKind(of: "NSMappingModel") else {
      throw .damaged("it contains an object of class \(root.className) instead of a mapping model")
    }
    var mappings: [EntityMappingRecord] = []
    for object in try objects("NSEntityMappings", of: root, "NSEntityMapping") ?? [] {
      mappings.append(try entityMapping(object))
    }
    return mappings
  }

  private mutating func entityMapping(
    _ object: ArchivedObject
  ) throws(ModelError) -> EntityMappingRecord {
    var mapping = EntityMappingRecord()
    mapping.name = try object.string("NSMappingName")
    let type = try object.integer("NSMappingType") ?? 0
    guard (0...5).contains(type) else { throw object.mismatch("NSMappingType") }
    mapping.type = UInt(type)
    mapping.sourceEntityName = try object.string("NSSourceEntityName")
    mapping.destinationEntityName = try object.string("NSDestinationEntityName")
    mapping.policyClassName = try object.string("NSEntityMigrationPolicyClassName")
    do {
      mapping.sourceEntityVersionHash = try data("NSSourceEntityVersionHash", of: object)
      mapping.destinationEntityVersionHash = try data("NSDestinationEntityVersionHash", of: object)
      mapping.sourceExpression = try expression("NSSourceExpression", of: object)
      mapping.attributeMappings = try propertyMappings("NSAttributeMappings", of: object)
      mapping.relationshipMappings = try propertyMappings("NSRelationshipMappings", of: object)
      mapping.userInfo = try userInfo(of: object)
    } catch {
      var located = error
      located.entityName = mapping.destinationEntityName ?? mapping.sourceEntityName
      throw located
    }
    return mapping
  }

  private mutating func propertyMappings(
    _ key: String, of object: ArchivedObject
  ) throws(ModelError) -> [PropertyMappingRecord]? {
    guard let members = try objects(key, of: object, "NSPropertyMapping") else { return nil }
    var mappings: [PropertyMappingRecord] = []
    for member in members {
      let name = try member.string("NSDestinationPropertyName")
      do {
        mappings.append(
          PropertyMappingRecord(
            name: name, valueExpression: try expression("NSValueExpression", of: member),
            userInfo: try userInfo(of: member)))
      } catch {
        var located = error
        located.propertyName = name
        throw located
      }
    }
    return mappings
  }

  /// Returns the members of a list, which must have the given class; nil if there is no list.
  private mutating func objects(
    _ key: String, of object: ArchivedObject, _ className: String
  ) throws(ModelError) -> [ArchivedObject]? {
    guard let members = try object.members(key) else { return nil }
    remaining -= members.count
    guard remaining >= 0 else { throw .damaged("it contains more than 100,000 mappings") }
    var objects: [ArchivedObject] = []
    for member in members {
      guard let member = member.object, member.isKind(of: className) else {
        throw object.mismatch(key)
      }
      objects.append(member)
    }
    return objects
  }

  private mutating func expression(
    _ key: String, of object: ArchivedObject
  ) throws(ModelError) -> OpenPredicates.NSExpression? {
    guard let archived = try object.object(key) else { return nil }
    let expression = OpenPredicates.NSExpression(node: try predicates.expression(archived))
    guard expression.formatError == nil else {
      throw .damaged("an expression is nested too deeply")
    }
    return expression
  }

  private mutating func data(
    _ key: String, of object: ArchivedObject
  ) throws(ModelError) -> Data? {
    guard let value = try object.value(key), let any = try contents.any(value) else { return nil }
    guard let data = any as? Data else { throw object.mismatch(key) }
    return data
  }

  private mutating func userInfo(
    of object: ArchivedObject
  ) throws(ModelError) -> [AnyHashable: Any]? {
    guard try object.entries("NSUserInfo") != nil else { return nil }
    return try contents.userInfo("NSUserInfo", of: object).mapValues(Self.swiftValue)
  }

  /// Returns a value as it was before it was archived, with sets as Swift sets.
  private static func swiftValue(_ value: Any) -> Any {
    switch value {
    case let set as NSSet:
      let members = set.allObjects
      let texts = members.compactMap { $0 as? String }
      if texts.count == members.count { return Set(texts) }
      return Set(members.compactMap { swiftValue($0) as? AnyHashable })
    case let dictionary as [AnyHashable: Any]: return dictionary.mapValues(swiftValue)
    case let list as [Any]: return list.map(swiftValue)
    default: return value
    }
  }
}
