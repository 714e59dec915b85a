internal import Foundation
internal import OpenPredicates

extension PropertyArchiveReader {
  /// Reads an attribute and the expression that computes its value.
  mutating func derivedAttribute(
    _ object: ArchivedObject
  ) throws(ModelError) -> NSDerivedAttributeDescription {
    let attribute = NSDerivedAttributeDescription()
    if let expression = try object.object("NSDerivationExpression") {
      attribute.derivationExpression = OpenPredicates.NSExpression(
        node: try predicates.expression(expression))
    }
    if let condition = try object.object("NSFilteringPredicate") {
      attribute.filteringPredicate = .from(try predicates.predicate(condition))
    }
    return attribute
  }

  /// Reads a property that represents an expression.
  mutating func expressionDescription(
    _ object: ArchivedObject
  ) throws(ModelError) -> NSExpressionDescription {
    let description = NSExpressionDescription()
    description.name = try object.string("NSPropertyName") ?? ""
    if let expression = try object.object("NSExpression") {
      description.expression = OpenPredicates.NSExpression(
        node: try predicates.expression(expression))
    }
    let type = try object.integer("NSExpressionType") ?? 0
    description.resultType = .init(rawValue: UInt(bitPattern: type))
    return description
  }

  /// Reads a fetched property and its fetch request.
  mutating func fetchedProperty(
    _ object: ArchivedObject
  ) throws(ModelError) -> NSFetchedPropertyDescription {
    let property = NSFetchedPropertyDescription()
    let name = try object.string("_NSFetchRequestEntityName")
    if let request = try object.object("NSFetchRequest", of: "NSFetchRequest") {
      property.template = try fetchTemplate(request)
      if let name { property.template?.entityName = name }
    } else if let name {
      property.template = FetchTemplate(entityName: name)
    }
    return property
  }

  /// Reads a fetch request without the parts that only affect results.
  mutating func fetchTemplate(_ object: ArchivedObject) throws(ModelError) -> FetchTemplate {
    var template = FetchTemplate(
      entityName: try object.object("NSEntity")?.string("NSEntityName"))
    if let condition = try object.object("NSPredicate") {
      template.predicate = .from(try predicates.predicate(condition))
    }
    for value in try object.members("NSSortDescriptors") ?? [] {
      guard let sort = value.object, let key = try sort.string("NSKey") else {
        throw object.mismatch("NSSortDescriptors")
      }
      template.sortKeys.append(
        .init(
          key: key, isAscending: try sort.flag("NSAscending"),
          selector: try sort.string("NSSelector")))
    }
    template.fetchLimit = try object.integer("NSFetchLimit") ?? 0
    template.fetchOffset = try object.integer("NSFetchOffset") ?? 0
    template.fetchBatchSize = try object.integer("NSBatchSize") ?? 0
    template.resultType = UInt(bitPattern: try object.integer("NSResultType") ?? 0)
    let flags = try object.integer("NSFetchRequestFlags") ?? FetchTemplateFlags.usual
    FetchTemplateFlags.apply(flags, to: &template)
    return template
  }
}
