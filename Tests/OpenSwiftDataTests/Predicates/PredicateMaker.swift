import Foundation
import OpenPredicates
import OpenSwiftData

/// Composes random predicate expressions on items that do not trap during evaluation.
struct PredicateMaker {
  typealias Condition = any StandardPredicateExpression<Bool>
  typealias Integer = any StandardPredicateExpression<Int>
  typealias Real = any StandardPredicateExpression<Double>
  typealias Text = any StandardPredicateExpression<String>
  typealias Expressions = PredicateExpressions

  var values: FormValues
  let item: Expressions.Variable<Item>

  static func predicate(seed: UInt64) -> Predicate<Item> {
    Predicate<Item> { item in
      var maker = PredicateMaker(
        values: FormValues(seed: seed &* 0x9E37_79B9_7F4A_7C15), item: item)
      return maker.condition(3)
    }
  }

  // MARK: Conditions

  mutating func condition(_ depth: Int) -> Condition {
    guard depth > 0 else { return simpleCondition(0) }
    switch values.next(7) {
    case 0: return and(condition(depth - 1), condition(depth - 1))
    case 1: return or(condition(depth - 1), condition(depth - 1))
    case 2: return not(condition(depth - 1))
    case 3: return choice(condition(depth - 1), condition(depth - 1), condition(depth - 1))
    case 4: return equal(condition(depth - 1), condition(depth - 1))
    default: return simpleCondition(depth)
    }
  }

  private mutating func simpleCondition(_ depth: Int) -> Condition {
    switch values.next(12) {
    case 0, 1: return compare(integer(depth), integer(depth))
    case 2: return compare(real(depth), real(depth))
    case 3: return compare(text(depth), text(depth))
    case 4: return equal(integer(depth), integer(depth))
    case 5: return equal(text(depth), text(depth))
    case 6: return textCondition(depth)
    case 7: return optionalCondition(depth)
    case 8: return memberCondition(depth)
    case 9: return partCondition(depth)
    case 10: return makerCondition()
    default: return Expressions.build_KeyPath(root: item, keyPath: \.isNew)
    }
  }

  private mutating func textCondition(_ depth: Int) -> Condition {
    let (one, other) = (text(depth), text(depth))
    switch values.next(5) {
    case 0: return contains(one, other)
    case 1: return starts(one, other)
    case 2: return searches(one, other)
    case 3: return isEmpty(one)
    default: return equal(compareText(one, other), Expressions.Value(0))
    }
  }

  private mutating func optionalCondition(_ depth: Int) -> Condition {
    let rank = Expressions.build_KeyPath(root: item, keyPath: \.rank)
    let note = Expressions.build_KeyPath(root: item, keyPath: \.note)
    switch values.next(7) {
    case 0: return equal(rank, Expressions.Value(values.optional { $0.next(7) - 2 }))
    case 1: return notEqual(rank, Expressions.Value(values.optional { $0.next(7) - 2 }))
    case 2:
      return notEqual(note, Expressions.Value(values.optional { $0.element(FormValues.notes) }))
    case 3: return equal(note, Expressions.build_NilLiteral())
    case 4:
      let limit = integer(0)
      let test = mapped(rank, limit)
      return coalesced(test, Expressions.Value(values.next(2) == 0))
    case 5: return notEqual(mapped(rank, integer(0)), Expressions.Value(Bool?.some(true)))
    default:
      let isSold = Expressions.build_KeyPath(root: item, keyPath: \.isSold)
      return coalesced(isSold, Expressions.Value(values.next(2) == 0))
    }
  }

  private mutating func memberCondition(_ depth: Int) -> Condition {
    let numbers = (0..<values.next(4)).map { _ in values.next(8) - 2 }
    switch values.next(5) {
    case 0: return member(Expressions.Value(numbers), integer(depth))
    case 1:
      let ranks: [Int?] = numbers + (values.next(2) == 0 ? [nil] : [])
      return member(
        Expressions.Value(ranks), Expressions.build_KeyPath(root: item, keyPath: \.rank))
    case 2:
      let texts = (0..<3).map { _ in values.element(FormValues.titles) }
      return member(Expressions.Value(texts), text(depth))
    case 3:
      let low = values.next(5) - 3
      return within(Expressions.Value(low..<(low + values.next(6))), integer(depth))
    default:
      let limit = integer(0)
      return containsNumber(Expressions.Value(numbers), below: limit)
    }
  }

  private mutating func partCondition(_ depth: Int) -> Condition {
    let parts = Expressions.build_KeyPath(root: item, keyPath: \.parts)
    let (kind, limit, name) = (
      values.next(4), values.next(8), values.element(FormValues.titles)
    )
    func test(
      _ part: Expressions.Variable<Part>
    )
      -> Expressions.Disjunction<
        Expressions.Comparison<
          Expressions.KeyPath<Expressions.Variable<Part>, Int>, Expressions.Value<Int>
        >,
        Expressions.NotEqual<
          Expressions.KeyPath<Expressions.Variable<Part>, String>, Expressions.Value<String>
        >
      >
    {
      Expressions.build_Disjunction(
        lhs: Expressions.build_Comparison(
          lhs: Expressions.build_KeyPath(root: part, keyPath: \.number),
          rhs: Expressions.Value(limit * 8), op: .lessThan),
        rhs: Expressions.build_NotEqual(
          lhs: Expressions.build_KeyPath(root: part, keyPath: \.name),
          rhs: Expressions.Value(name)))
    }
    switch kind {
    case 0: return Expressions.build_contains(parts, where: test)
    case 1: return Expressions.build_allSatisfy(parts, test)
    case 2:
      return compare(
        Expressions.build_KeyPath(
          root: Expressions.build_filter(parts, test), keyPath: \.count), integer(depth))
    default: return Expressions.build_KeyPath(root: parts, keyPath: \.isEmpty)
    }
  }

  private mutating func makerCondition() -> Condition {
    let maker = Expressions.build_KeyPath(root: item, keyPath: \.maker)
    let name = values.optional { $0.element(["Ann", "bob", ""]) }
    switch values.next(3) {
    case 0:
      return notEqual(
        Expressions.build_flatMap(maker) { Expressions.build_KeyPath(root: $0, keyPath: \.name) },
        Expressions.Value(name))
    case 1:
      let founded = Expressions.build_flatMap(maker) {
        Expressions.build_KeyPath(root: $0, keyPath: \.founded)
      }
      return compare(
        Expressions.build_NilCoalesce(lhs: founded, rhs: Expressions.Value(1940)),
        Expressions.Value(1950))
    default: return equal(maker, Expressions.build_NilLiteral())
    }
  }

  // MARK: Values

  mutating func integer(_ depth: Int) -> Integer {
    switch values.next(depth > 0 ? 11 : 5) {
    case 0: return Expressions.build_KeyPath(root: item, keyPath: \.count)
    case 1: return Expressions.build_KeyPath(root: item, keyPath: \.number)
    case 2, 3: return Expressions.Value(values.next(12) - 4)
    case 4:
      return Expressions.build_NilCoalesce(
        lhs: Expressions.build_KeyPath(root: item, keyPath: \.rank),
        rhs: Expressions.Value(values.next(5)))
    case 5: return negated(integer(depth - 1))
    case 6: return divided(integer(depth - 1), by: values.element([-3, -2, -1, 1, 2, 5]))
    case 7: return remainder(integer(depth - 1), by: values.element([-3, -1, 1, 2, 5]))
    case 8: return choice(condition(depth - 1), integer(depth - 1), integer(depth - 1))
    case 9 where depth > 1: return length(text(0))
    default: return calculated(integer(depth - 1), integer(depth - 1))
    }
  }

  mutating func real(_ depth: Int) -> Real {
    switch values.next(depth > 0 ? 7 : 3) {
    case 0: return Expressions.build_KeyPath(root: item, keyPath: \.price)
    case 1: return Expressions.Value(values.element([-1, -0.0, 0, 0.25, 3, .infinity]))
    case 2:
      return Expressions.build_NilCoalesce(
        lhs: Expressions.build_KeyPath(root: item, keyPath: \.discount),
        rhs: Expressions.Value(0.125))
    case 3: return negated(real(depth - 1))
    case 4: return quotient(real(depth - 1), real(0))
    default: return calculated(real(depth - 1), real(depth - 1))
    }
  }

  mutating func text(_ depth: Int) -> Text {
    switch values.next(depth > 0 ? 5 : 4) {
    case 0, 1: return Expressions.build_KeyPath(root: item, keyPath: \.title)
    case 2: return Expressions.Value(values.element(FormValues.titles + FormValues.notes))
    case 3:
      return Expressions.build_NilCoalesce(
        lhs: Expressions.build_KeyPath(root: item, keyPath: \.note),
        rhs: Expressions.Value(values.element(FormValues.notes)))
    default: return choice(condition(0), text(0), text(0))
    }
  }
}
