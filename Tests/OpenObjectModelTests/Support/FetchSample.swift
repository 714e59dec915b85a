import Foundation
import OpenObjectModel
import OpenPredicates

import class OpenPredicates.NSExpression

/// Computed properties and indexes for ``ArchiveSample``.
enum FetchSample {
  static func properties() -> [NSPropertyDescription] {
    let fetched = NSFetchedPropertyDescription()
    fetched.name = "similar"
    fetched.isTransient = true
    fetched.template = template("title CONTAINS[c] $FETCH_SOURCE.title AND pages > 5")
    return [
      fetched, derived("authorCount", "authors.@count"), derived("sequelTitle", "sequel.title"),
      derived("upper", "uppercase:(title)"), derived("changed", "now()"),
    ]
  }

  private static func derived(_ name: String, _ format: String) -> NSDerivedAttributeDescription {
    let attribute = NSDerivedAttributeDescription()
    attribute.name = name
    attribute.type = .string
    attribute.derivationExpression = NSExpression(format: format)
    return attribute
  }

  static func indexes(of entity: NSEntityDescription) -> [NSFetchIndexDescription] {
    let byTitle = NSFetchIndexDescription(
      name: "byTitle", elements: elements(["title", "date"], of: entity))
    byTitle.elements.last?.isAscending = false
    byTitle.partialIndexPredicate = NSPredicate(
      format:
        "isOut == YES AND (rate > 0.5 OR title BEGINSWITH[cd] 'x') AND NOT title IN {'a', 'b'}")
    let places = NSFetchIndexDescription(name: "places", elements: elements(["rate"], of: entity))
    places.elements.first?.collationType = .rTree
    return [byTitle, places, byExpression(entity)]
  }

  /// A fetch of books.
  static func template(_ format: String) -> FetchTemplate {
    var template = FetchTemplate(entityName: "Book")
    template.predicate = NSPredicate(format: format, argumentArray: [])
    template.sortKeys = [.init(key: "title", isAscending: false, selector: "localizedCompare:")]
    template.fetchLimit = 5
    template.fetchOffset = 2
    template.returnsDistinctResults = true
    return template
  }

  private static func byExpression(_ entity: NSEntityDescription) -> NSFetchIndexDescription {
    let kind = NSExpressionDescription()
    kind.name = "expression1"
    kind.expression = NSExpression(forKeyPath: "entity")
    let lower = NSExpressionDescription()
    lower.name = "expression2"
    lower.expression = NSExpression(format: "lowercase:(title)")
    lower.expressionResultType = .stringAttributeType
    return NSFetchIndexDescription(
      name: "byExpression",
      elements: elements(["rate"], of: entity)
        + [kind, lower].map {
          NSFetchIndexElementDescription(property: $0, collationType: .binary)
        })
  }

  private static func elements(
    _ names: [String], of entity: NSEntityDescription
  ) -> [NSFetchIndexElementDescription] {
    names.compactMap { entity.propertiesByName[$0] }.map {
      NSFetchIndexElementDescription(property: $0, collationType: .binary)
    }
  }
}
