internal import Foundation
internal import OpenPredicates

extension ModelArchiveReader {
  /// Reads an element of an index: a property or an expression.
  mutating func element(
    _ object: ArchivedObject, _ known: [String: NSPropertyDescription]
  ) throws(ModelError) -> NSFetchIndexElementDescription {
    let isRTree = try object.integer("NSFetchIndexElementType") == 1
    let element = NSFetchIndexElementDescription(
      property: try column(object, known), collationType: isRTree ? .rTree : .binary)
    element.isAscending = try object.flag("NSAscending")
    return element
  }

  private mutating func column(
    _ object: ArchivedObject, _ known: [String: NSPropertyDescription]
  ) throws(ModelError) -> NSPropertyDescription {
    if let expression = try object.object("NSIndexedProperty", of: "NSExpressionDescription") {
      return try properties.expressionDescription(expression)
    }
    guard let name = try object.string("NSPropertyName") else {
      throw object.mismatch("NSPropertyName")
    }
    if let property = known[name] { return property }
    // A path, such as that of an element of a composite attribute.
    let description = NSExpressionDescription()
    description.name = name
    description.expression = OpenPredicates.NSExpression(forKeyPath: name)
    return description
  }

  /// Reads the fetch request templates of a model.
  mutating func readTemplates(
    _ root: ArchivedObject, into model: NSManagedObjectModel
  ) throws(ModelError) {
    for (key, value) in try root.entries("NSFetchRequestTemplates") ?? [] {
      guard let name = try key.text(), let request = value.object else {
        throw root.mismatch("NSFetchRequestTemplates")
      }
      model.fetchTemplates[name] = try properties.fetchTemplate(request)
    }
  }
}
