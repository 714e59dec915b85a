import Foundation
import OpenMigration
import OpenPredicates

import class OpenPredicates.NSExpression

/// Mapping models as lines, for comparison.
enum MappingDump {
  static func lines(_ model: NSMappingModel) -> [String] {
    model.entityMappings.flatMap(lines)
  }

  private static func lines(_ mapping: NSEntityMapping) -> [String] {
    let head = [
      "mapping \(mapping.name ?? "-") \(mapping.mappingType.rawValue)",
      "source \(mapping.sourceEntityName ?? "-") \(text(mapping.sourceEntityVersionHash))",
      "destination \(mapping.destinationEntityName ?? "-") "
        + text(mapping.destinationEntityVersionHash),
      "objects \(text(mapping.sourceExpression))",
      "policy \(mapping.entityMigrationPolicyClassName ?? "-")",
      "user info \(text(mapping.userInfo))",
    ]
    return head + lines("attribute", mapping.attributeMappings)
      + lines("relationship", mapping.relationshipMappings)
  }

  private static func lines(_ kind: String, _ mappings: [NSPropertyMapping]?) -> [String] {
    guard let mappings else { return ["no \(kind)s"] }
    return mappings.map {
      "\(kind) \($0.name ?? "-") = \(text($0.valueExpression)) \(text($0.userInfo))"
    }
  }

  private static func text(_ data: Data?) -> String { data?.base64EncodedString() ?? "-" }

  private static func text(_ expression: NSExpression?) -> String {
    expression.map { "\($0.node)" } ?? "-"
  }

  private static func text(_ userInfo: [AnyHashable: Any]?) -> String {
    guard let userInfo else { return "-" }
    return userInfo.map { "\($0.key)=\(text(of: $0.value))" }.sorted().joined(separator: ", ")
  }

  private static func text(of value: Any) -> String {
    if let set = value as? Set<AnyHashable> { return "set \(set.map { "\($0)" }.sorted())" }
    return "\(value)"
  }
}
