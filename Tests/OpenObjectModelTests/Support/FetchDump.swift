import Foundation
import OpenObjectModel
import OpenPredicates

import class OpenPredicates.NSExpression

/// The expressions and fetches in a model, as text.
enum FetchDump {
  static func lines(_ property: NSFetchedPropertyDescription, _ path: String) -> [String] {
    [path + " fetches " + (property.template.map { text($0) } ?? "-")]
  }

  static func text(_ template: FetchTemplate) -> String {
    let order = template.sortKeys.map { "\($0.key) \($0.isAscending) \($0.selector ?? "compare:")" }
    return """
      \(template.entityName ?? "-") where \(template.predicate?.canonicalFormat ?? "-") by \(order) \
      limit \(template.fetchLimit) from \(template.fetchOffset) batch \(template.fetchBatchSize) \
      type \(template.resultType) \(template.includesSubentities) \(template.includesPropertyValues) \
      \(template.includesPendingChanges) \(template.returnsObjectsAsFaults) \
      \(template.returnsDistinctResults)
      """
  }

  static func text(_ attribute: NSDerivedAttributeDescription) -> String {
    let condition = attribute.filteringPredicate?.canonicalFormat ?? "-"
    return (attribute.derivationExpression.map { "\($0.node)" } ?? "-") + " where " + condition
  }

  static func text(_ element: NSFetchIndexElementDescription) -> String {
    guard let description = element.property as? NSExpressionDescription else { return "" }
    let node = description.expression.map { "\($0.node)" } ?? "-"
    return "\(node) \(description.expressionResultType)"
  }
}
