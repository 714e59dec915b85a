internal import Foundation

/// A condition that joins predicates on one value.
///
/// The predicates form a list. Chains of Foundation's binary operators would nest one level deeper
/// for each predicate, which would limit the number of predicates.
struct JoinedPredicates<Input>: StandardPredicateExpression {
  typealias Output = Bool
  typealias Condition = PredicateExpressions.PredicateEvaluate<PredicateExpressions.Variable<Input>>

  /// Whether all predicates, or at least one of them, must be true.
  enum Kind: Codable, Sendable { case all, any }

  private let kind: Kind
  private let conditions: [Condition]

  /// Joins predicates.
  ///
  /// - Parameters:
  ///   - predicates: The predicates.
  ///   - kind: Whether all predicates, or at least one of them, must be true.
  ///   - variable: The value on which the predicates are evaluated.
  init(
    _ predicates: [Predicate<Input>], _ kind: Kind,
    on variable: PredicateExpressions.Variable<Input>
  ) {
    self.kind = kind
    conditions = predicates.map { PredicateExpressions.build_evaluate($0, variable) }
  }

  func evaluate(_ bindings: PredicateBindings) throws -> Bool {
    switch kind {
    case .all: return try conditions.allSatisfy { try $0.evaluate(bindings) }
    case .any: return try conditions.contains { try $0.evaluate(bindings) }
    }
  }
}

extension JoinedPredicates: LowerableExpression, RelaxableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    var parts: [LoweredCondition] = []
    for condition in conditions { parts.append(try lowering.condition(condition)) }
    return .condition(joined(parts))
  }

  func relaxed(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredCondition {
    var parts: [LoweredCondition] = []
    for condition in conditions { parts.append(try lowering.relaxed(condition)) }
    return joined(parts)
  }

  private func joined(_ parts: [LoweredCondition]) -> LoweredCondition {
    switch kind {
    case .all: return LoweredCondition.conjunction(of: parts[...])
    case .any: return LoweredCondition.conjunction(of: parts.map(\.opposite)[...]).opposite
    }
  }
}

extension LoweredCondition {
  /// Returns the conjunction of conditions. The method joins halves, because adding the conditions
  /// one by one would take quadratic time.
  fileprivate static func conjunction(
    of conditions: ArraySlice<LoweredCondition>
  ) -> LoweredCondition {
    guard let first = conditions.first else { return LoweredCondition(true) }
    if conditions.count == 1 { return first }
    let middle = conditions.startIndex + conditions.count / 2
    return conjunction(of: conditions[..<middle]).and(conjunction(of: conditions[middle...]))
  }
}

extension JoinedPredicates: DivisibleExpression, NestedPredicate {
  var sides: [any PredicateExpression<Bool>]? {
    guard kind == .all else { return nil }
    return conditions.map { $0 as any PredicateExpression<Bool> }
  }

  var parts: [Any] { conditions }
  var variable: PredicateExpressions.VariableID? { nil }
}

extension JoinedPredicates: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Bool {
    // One condition may decide the result even if other conditions have no value.
    let deciding = kind == .any
    var failure: (any Error)?
    for condition in conditions {
      do {
        if try condition.valueWithoutTraps(bindings) == deciding { return deciding }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return !deciding
  }
}
