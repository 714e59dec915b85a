internal import Foundation
internal import OpenPredicates

extension KeyedArchiveWriter {
  /// Writes a predicate and returns its reference; nil becomes the null reference.
  ///
  /// - Throws: `ModelError` with code `.unarchivable` if the predicate is a block or cannot be
  ///   parsed.
  mutating func add(_ predicate: NSPredicate?) throws(ModelError) -> Int {
    guard let predicate else { return Self.null }
    guard let node = predicate.form.resolvedNode() else {
      throw .unarchivable("A compiled model cannot contain a predicate without a format.")
    }
    return try add(node)
  }

  private mutating func add(_ node: PredicateNode) throws(ModelError) -> Int {
    switch node {
    case .constant(let flag): return add(plain: flag ? "NSTruePredicate" : "NSFalsePredicate")
    case .not(let inner): return try add(compound: 0, [inner])
    case .and(let parts): return try add(compound: 1, parts)
    case .or(let parts): return try add(compound: 2, parts)
    case .comparison(let comparison): return try add(comparison)
    }
  }

  private mutating func add(
    compound type: Int, _ parts: [PredicateNode]
  ) throws(ModelError) -> Int {
    var members: [Int] = []
    for part in parts { members.append(try add(part)) }
    let list = add("NSArray", of: members)
    return add(
      "NSCompoundPredicate",
      [("NSCompoundPredicateType", .int(type)), ("NSSubpredicates", .reference(list))])
  }

  private mutating func add(_ node: ComparisonNode) throws(ModelError) -> Int {
    let left = try add(node.left)
    let right = try add(node.right)
    let symbol = try add(operatorOf: node)
    return add(
      "NSComparisonPredicate",
      [
        ("NSLeftExpression", .reference(left)), ("NSRightExpression", .reference(right)),
        ("NSPredicateOperator", .reference(symbol)),
      ])
  }

  private mutating func add(operatorOf node: ComparisonNode) throws(ModelError) -> Int {
    let type = node.operation.rawValue
    let options = Int(node.options.rawValue)
    let common: [(key: String, entry: Entry?)] = [
      ("NSModifier", .int(node.modifier.rawValue)), ("NSOperatorType", .int(type)),
    ]
    switch node.operation {
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
      return add(
        "NSComparisonPredicateOperator",
        common + [("NSVariant", .int(type)), ("NSOptions", .int(options))])
    case .equal, .notEqual:
      return add(
        "NSEqualityPredicateOperator",
        common + [("NSNegate", .bool(node.operation == .notEqual)), ("NSOptions", .int(options))])
    case .in, .contains:
      return add("NSInPredicateOperator", common + [("NSFlags", .int(options))])
    case .matches: return add("NSMatchingPredicateOperator", common + [("NSFlags", .int(options))])
    case .like: return add("NSLikePredicateOperator", common + [("NSFlags", .int(options))])
    case .beginsWith, .endsWith:
      return add(
        "NSSubstringPredicateOperator",
        common + [
          ("NSFlags", .int(options)),
          ("NSSubstringPosition", .int(node.operation == .beginsWith ? 1 : 2)),
        ])
    case .between: return add("NSBetweenPredicateOperator", common)
    case .customSelector:
      throw .unarchivable("A compiled model cannot contain a predicate with a custom selector.")
    case .containsWords:
      throw .unarchivable("A compiled model cannot contain a predicate with CONTAINSWORDS.")
    }
  }
}
