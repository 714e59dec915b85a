internal import OpenObjectModel

extension NSEntityMapping {
  /// Creates a mapping from its record in a file.
  convenience init(_ record: EntityMappingRecord) {
    self.init()
    if let name = record.name { self.name = name }
    mappingType = NSEntityMappingType(rawValue: record.type) ?? .undefinedEntityMappingType
    sourceEntityName = record.sourceEntityName
    sourceEntityVersionHash = record.sourceEntityVersionHash
    destinationEntityName = record.destinationEntityName
    destinationEntityVersionHash = record.destinationEntityVersionHash
    attributeMappings = record.attributeMappings?.map(NSPropertyMapping.init)
    relationshipMappings = record.relationshipMappings?.map(NSPropertyMapping.init)
    sourceExpression = record.sourceExpression
    userInfo = record.userInfo
    entityMigrationPolicyClassName = record.policyClassName
  }

  /// The record of the mapping in a file.
  var record: EntityMappingRecord {
    var record = EntityMappingRecord()
    record.name = name
    record.type = mappingType.rawValue
    record.sourceEntityName = sourceEntityName
    record.sourceEntityVersionHash = sourceEntityVersionHash
    record.destinationEntityName = destinationEntityName
    record.destinationEntityVersionHash = destinationEntityVersionHash
    record.attributeMappings = attributeMappings?.map(\.record)
    record.relationshipMappings = relationshipMappings?.map(\.record)
    record.sourceExpression = sourceExpression
    record.userInfo = userInfo
    record.policyClassName = entityMigrationPolicyClassName
    return record
  }
}

extension NSPropertyMapping {
  fileprivate convenience init(_ record: PropertyMappingRecord) {
    self.init()
    name = record.name
    valueExpression = record.valueExpression
    userInfo = record.userInfo
  }

  fileprivate var record: PropertyMappingRecord {
    PropertyMappingRecord(name: name, valueExpression: valueExpression, userInfo: userInfo)
  }
}
