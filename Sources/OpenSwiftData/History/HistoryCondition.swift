internal import Foundation

/// A predicate on transactions, divided into a starting point for the store and conditions that are
/// evaluated in memory.
///
/// In a conjunction, the first lower bound for the token determines where the store starts reading.
/// If no condition bounds the token, the first lower bound for the date determines this position.
/// All conditions except the bound for the token are evaluated for each transaction.
struct HistoryCondition {
  /// The position where the store starts reading.
  enum Start {
    case beginning
    case date(Date)
    /// After the transactions of the token, or at these transactions if `isIncluded` is `true`.
    case token(DefaultHistoryToken, isIncluded: Bool)
  }

  private(set) var start = Start.beginning
  private var parts: [(DefaultHistoryTransaction) throws -> Bool] = []
  private let variable: PredicateExpressions.Variable<DefaultHistoryTransaction>?

  init(_ predicate: Predicate<DefaultHistoryTransaction>?) {
    variable = predicate?.variable
    if let predicate { add(predicate.expression) }
  }

  /// Returns whether a transaction satisfies the conditions that the store does not evaluate.
  ///
  /// - Throws: The error of the predicate's evaluation.
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

  /// Uses a bound as the starting point of the store if the starting point is not fixed yet.
  ///
  /// - Returns: Whether the starting point replaces the condition, which then needs no evaluation
  ///   in memory.
  private mutating func take(_ bound: HistoryBound) -> Bool {
    if bound.path == \DefaultHistoryTransaction.token {
      guard let token = bound.value as? DefaultHistoryToken else { return false }
      if case .token = start { return false }
      start = .token(token, isIncluded: bound.isIncluded)
      if bound.isIncluded { addTokenTest(token) }
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

  /// Excludes the latest transactions of other stores before the transaction that has the token.
  ///
  /// The read from the stores includes the transactions with the numbers in the token, one for each
  /// store.
  private mutating func addTokenTest(_ token: DefaultHistoryToken) {
    let numbers = token.numbers
    parts.append { transaction in
      numbers[transaction.storeIdentifier] != transaction.transactionIdentifier
        || !(transaction.token < token)
    }
  }
}

/// A property and its lower bound.
struct HistoryBound {
  let path: AnyKeyPath
  let value: Any
  /// Whether the property may be equal to the bound.
  let isIncluded: Bool
}

/// A conjunction in a predicate.
protocol HistoryConjunction {
  func add(to condition: inout HistoryCondition)
}

extension PredicateExpressions.Conjunction: HistoryConjunction {
  func add(to condition: inout HistoryCondition) {
    condition.add(lhs)
    condition.add(rhs)
  }
}

/// A comparison in a predicate, which may set a lower bound for a property.
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
