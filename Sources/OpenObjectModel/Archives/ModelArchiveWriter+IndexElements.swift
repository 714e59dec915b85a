internal import Foundation
internal import OpenPredicates

extension NSFetchIndexElementDescription {
  /// The name of the column for older frameworks; nil if they do not support the column.
  var compoundName: String? {
    guard let description = property as? NSExpressionDescription else {
      return property is NSRelationshipDescription ? nil : propertyName
    }
    switch description.expression?.node {
    case .evaluatedObject?: return "self"
    case .keyPath(let steps)?: return steps.joined(separator: ".")
    default: return nil
    }
  }
}

extension ModelArchiveWriter {
  /// Writes an element of an index and returns its reference.
  mutating func write(
    _ element: NSFetchIndexElementDescription, of index: Int
  ) throws(ModelError) -> Int {
    let name = archive.add(element.propertyName)
    var expression: Int?
    if let description = element.property as? NSExpressionDescription {
      expression = try write(description)
    }
    return archive.add(
      "NSFetchIndexElementDescription",
      [
        ("NSPropertyName", .reference(name)),
        ("NSFetchIndexElementType", .int(element.collationType == .rTree ? 1 : 0)),
        ("NSFetchIndexDescription", .reference(index)),
        ("NSAscending", .bool(element.isAscending)),
        ("NSIndexedProperty", expression.map { .reference($0) }),
      ])
  }

  private mutating func write(_ description: NSExpressionDescription) throws(ModelError) -> Int {
    let reference = archive.reserve()
    var expression = KeyedArchiveWriter.null
    if let node = description.expression?.node { expression = try archive.add(node) }
    try write(
      description, "NSExpressionDescription", of: nil, reference,
      [
        ("NSExpression", .reference(expression)),
        ("NSExpressionType", .int(Int(bitPattern: description.resultType.rawValue))),
      ])
    return reference
  }
}
