internal import Foundation

/// A predicate on transactions, taken apart into what the store can do and what is left for memory.
///
/// Among the parts of a conjunction, the first condition "after a token" determines where reading begins, and so does
/// the first condition "after a date". All other parts are evaluated for each transaction.
struct HistoryCondition {
  /// Where reading begins.
  enum Start {
    case beginning
    case date(Date)
    /// Behind the token's transactions; at them, if they are included.
    case token(DefaultHistoryToken, isIncluded: Bool)
  }

  private(set) var start = Start.beginning
  private var parts: [(DefaultHistoryTransaction) throws -> Bool] = []
  private let variable: PredicateExpressions.Variable<DefaultHistoryTransaction>?

  init(_ predicate: Predicate<DefaultHistoryTransaction>?) {
    variable = predicate?.variable
    if let predicate { add(predicate.expression) }
  }

  /// Whether a transaction that was read is wanted.
  ///
  /// - Throws: What the predicate throws.
  func isMet(by transaction: DefaultHistoryTransaction) throws -> Bool {
    for part in parts where try !part(transaction) { return false }
    return true
  }

  mutating func add<Part: PredicateExpression>(_ part: Part) where Part.Output == Bool {
    if let conjunction = part as? any HistoryConjunction { return conjunction.add(to: &self) }
    if let bound = (part as? any HistoryComparison)?.lowerBound, take(bound) { return }
    guard let variable else { return }
    parts.append { try part.evaluate(PredicateBindings((variable, $0))) }
  }

  /// Makes the store begin at a bound.
  ///
  /// - Returns: Whether the store does all that the bound says.
  private mutating func take(_ bound: HistoryBound) -> Bool {
    if bound.path == \DefaultHistoryTransaction.token {
      guard let token = bound.value as? DefaultHistoryToken else { return false }
      if case .token = start { return false }
      start = .token(token, isIncluded: bound.isIncluded)
      return true
    }
    if bound.path == \DefaultHistoryTransaction.timestamp, let date = bound.value as? Date,
      case .beginning = start
    {
      let moment = date.timeIntervalSinceReferenceDate
      start = .date(
        bound.isIncluded ? Date(timeIntervalSinceReferenceDate: moment.nextDown) : date)
    }
    return false
  }
}

/// A property, and what it must be greater than.
struct HistoryBound {
  let path: AnyKeyPath
  let value: Any
  /// Whether it may also be equal.
  let isIncluded: Bool
}

/// Parts of a predicate that all have to hold.
protocol HistoryConjunction {
  func add(to condition: inout HistoryCondition)
}

extension PredicateExpressions.Conjunction: HistoryConjunction {
  func add(to condition: inout HistoryCondition) {
    condition.add(lhs)
    condition.add(rhs)
  }
}

/// A comparison that may say that a property is greater than a constant.
protocol HistoryComparison {
  var lowerBound: HistoryBound? { get }
}

extension PredicateExpressions.Comparison: HistoryComparison {
  var lowerBound: HistoryBound? {
    switch op {
    case .greaterThan: Self.bound(lhs, rhs, isIncluded: false)
    case .greaterThanOrEqual: Self.bound(lhs, rhs, isIncluded: true)
    case .lessThan: Self.bound(rhs, lhs, isIncluded: false)
    case .lessThanOrEqual: Self.bound(rhs, lhs, isIncluded: true)
    @unknown default: nil
    }
  }

  private static func bound(
    _ property: Any, _ constant: Any, isIncluded: Bool
  ) -> HistoryBound? {
    guard let property = property as? any HistoryPath,
      let constant = constant as? any HistoryConstant
    else { return nil }
    return HistoryBound(
      path: property.historyPath, value: constant.historyConstant, isIncluded: isIncluded)
  }
}

/// A key path in a predicate.
protocol HistoryPath {
  var historyPath: AnyKeyPath { get }
}

extension PredicateExpressions.KeyPath: HistoryPath {
  var historyPath: AnyKeyPath { keyPath }
}

/// A constant in a predicate.
protocol HistoryConstant {
  var historyConstant: Any { get }
}

extension PredicateExpressions.Value: HistoryConstant {
  var historyConstant: Any { value }
}
