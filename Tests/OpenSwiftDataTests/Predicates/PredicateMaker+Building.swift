import Foundation
import OpenPredicates
import OpenSwiftData

// The functions that the macro calls, for expressions whose types are unknown.

extension PredicateMaker {
  func and(
    _ one: some StandardPredicateExpression<Bool>, _ other: some StandardPredicateExpression<Bool>
  ) -> Condition { Expressions.build_Conjunction(lhs: one, rhs: other) }

  func or(
    _ one: some StandardPredicateExpression<Bool>, _ other: some StandardPredicateExpression<Bool>
  ) -> Condition { Expressions.build_Disjunction(lhs: one, rhs: other) }

  func not(_ one: some StandardPredicateExpression<Bool>) -> Condition {
    Expressions.build_Negation(one)
  }

  func choice<Content>(
    _ test: some StandardPredicateExpression<Bool>,
    _ one: some StandardPredicateExpression<Content>,
    _ other: some StandardPredicateExpression<Content>
  ) -> any StandardPredicateExpression<Content> {
    Expressions.build_Conditional(test, one, other)
  }

  func equal<Content: Equatable>(
    _ one: some StandardPredicateExpression<Content>,
    _ other: some StandardPredicateExpression<Content>
  ) -> Condition { Expressions.build_Equal(lhs: one, rhs: other) }

  func notEqual<Content: Equatable>(
    _ one: some StandardPredicateExpression<Content>,
    _ other: some StandardPredicateExpression<Content>
  ) -> Condition { Expressions.build_NotEqual(lhs: one, rhs: other) }

  mutating func compare<Content: Comparable>(
    _ one: some StandardPredicateExpression<Content>,
    _ other: some StandardPredicateExpression<Content>
  ) -> Condition {
    Expressions.build_Comparison(
      lhs: one, rhs: other,
      op: values.element([.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual]))
  }

  mutating func calculated<Number: Numeric>(
    _ one: some StandardPredicateExpression<Number>,
    _ other: some StandardPredicateExpression<Number>
  ) -> any StandardPredicateExpression<Number> {
    Expressions.build_Arithmetic(
      lhs: one, rhs: other, op: values.element([.add, .subtract, .multiply]))
  }

  func negated<Number: SignedNumeric>(
    _ one: some StandardPredicateExpression<Number>
  ) -> any StandardPredicateExpression<Number> { Expressions.build_UnaryMinus(one) }

  func divided(_ one: some StandardPredicateExpression<Int>, by divisor: Int) -> Integer {
    Expressions.IntDivision(lhs: one, rhs: Expressions.Value(divisor))
  }

  func remainder(_ one: some StandardPredicateExpression<Int>, by divisor: Int) -> Integer {
    Expressions.IntRemainder(lhs: one, rhs: Expressions.Value(divisor))
  }

  func quotient(
    _ one: some StandardPredicateExpression<Double>,
    _ other: some StandardPredicateExpression<Double>
  ) -> Real { Expressions.FloatDivision(lhs: one, rhs: other) }

  func contains(
    _ one: some StandardPredicateExpression<String>,
    _ other: some StandardPredicateExpression<String>
  ) -> Condition { Expressions.CollectionContainsCollection(base: one, other: other) }

  func starts(
    _ one: some StandardPredicateExpression<String>,
    _ other: some StandardPredicateExpression<String>
  ) -> Condition { Expressions.SequenceStartsWith(base: one, prefix: other) }

  func searches(
    _ one: some StandardPredicateExpression<String>,
    _ other: some StandardPredicateExpression<String>
  ) -> Condition { Expressions.StringLocalizedStandardContains(root: one, other: other) }

  func isEmpty(_ one: some StandardPredicateExpression<String>) -> Condition {
    Expressions.build_KeyPath(root: one, keyPath: \.isEmpty)
  }

  func length(_ one: some StandardPredicateExpression<String>) -> Integer {
    Expressions.build_KeyPath(root: one, keyPath: \.count)
  }

  /// 1 if the texts are equal ignoring case, otherwise 0.
  func compareText(
    _ one: some StandardPredicateExpression<String>,
    _ other: some StandardPredicateExpression<String>
  ) -> Integer {
    Expressions.build_Conditional(
      Expressions.build_Equal(
        lhs: Expressions.StringCaseInsensitiveCompare(root: one, other: other),
        rhs: Expressions.Value(ComparisonResult.orderedSame)), Expressions.Value(1),
      Expressions.Value(0))
  }

  /// `optional.flatMap { $0 > limit }`
  func mapped(
    _ optional: some StandardPredicateExpression<Int?>,
    _ limit: some StandardPredicateExpression<Int>
  ) -> any StandardPredicateExpression<Bool?> {
    Expressions.build_flatMap(optional) { (number: Expressions.Variable<Int>) in
      Expressions.build_Comparison(lhs: number, rhs: limit, op: .greaterThan)
    }
  }

  func coalesced(
    _ optional: some StandardPredicateExpression<Bool?>,
    _ other: some StandardPredicateExpression<Bool>
  ) -> Condition { Expressions.build_NilCoalesce(lhs: optional, rhs: other) }

  func member<Content: Equatable>(
    _ list: some StandardPredicateExpression<[Content]>,
    _ element: some StandardPredicateExpression<Content>
  ) -> Condition { Expressions.SequenceContains(sequence: list, element: element) }

  func within(
    _ range: some StandardPredicateExpression<Range<Int>>,
    _ element: some StandardPredicateExpression<Int>
  ) -> Condition { Expressions.RangeExpressionContains(range: range, element: element) }

  /// `list.contains { $0 < limit }`
  func containsNumber(
    _ list: some StandardPredicateExpression<[Int]>,
    below limit: some StandardPredicateExpression<Int>
  ) -> Condition {
    Expressions.build_contains(list) { (number: Expressions.Variable<Int>) in
      Expressions.build_Comparison(lhs: number, rhs: limit, op: .lessThan)
    }
  }
}
