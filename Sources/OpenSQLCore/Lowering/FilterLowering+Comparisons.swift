import OpenObjectModel
import OpenPredicates
import OpenStoreContract

extension FilterLowering {
  func compare(
    _ left: Operand, _ operation: ComparisonOperator, _ right: Operand, _ options: StringOptions,
    in scope: SelectScope
  ) throws(StoreError) -> SQLExpression {
    if operation == .containsWords { return try containsWords(left, right, in: scope) }
    let leftTarget = try target(of: left, in: scope)
    let rightTarget = try target(of: right, in: scope)
    let one = try lower(left, rightTarget, in: scope)
    let other = try lower(right, leftTarget, in: scope)
    switch operation {
    case .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
      let isEquality = operation == .equal || operation == .notEqual
      let comparesText =
        leftTarget.mayBeText && rightTarget.mayBeText
        && (isEquality ? options.fold : options.reorder)
      return comparesText
        ? folded(one, operation, other, options) : plain(one, operation, other)
    case .beginsWith:
      if case .binding(let position) = right, leftTarget == .slot(.text),
        options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive, .characters])
      {
        return .all([
          .binary(.greaterOrEqual, one, other),
          .binary(.less, one, .parameter(.prefixEnd(position))),
        ])
      }
      return call(.prefix, one, other, options)
    case .endsWith: return call(.suffix, one, other, options)
    case .contains: return call(.contains, one, other, options)
    case .in: return call(.contains, other, one, options)
    case .like: return call(.like, one, other, options)
    case .matches: return call(.matches, one, other, options)
    case .between, .customSelector, .containsWords:
      throw StoreError(
        .unsupportedPredicate, "The comparison has an operator that a store cannot evaluate.")
    }
  }

  func isMember(
    _ operand: Operand, _ list: Int, _ options: StringOptions, in scope: SelectScope
  ) throws(StoreError) -> SQLExpression {
    let target = try target(of: operand, in: scope)
    let value = try lower(operand, .untyped, in: scope)
    if options.fold, target.mayBeText { return isFoldedMember(value, list, options) }
    switch lists[list] ?? .json {
    case .empty: return .binary(.notEqual, value, value)
    case .members(let count):
      return .isIn(
        value, (0..<count).map { .parameter(.member(list: list, index: $0, target)) })
    case .array: return .isAny(value, .array(list: list, target))
    case .table:
      return .isInResult(
        value,
        Self.elements(
          [.column(table: nil, "value")], .table(list: list), function: dialect.listTable))
    case .json:
      return .isInResult(value, Self.elements([.column(table: nil, "value")], .json(list: list)))
    case .taggedJSON:
      let element = SQLExpression.function(
        dialect.function(.listElement), [.column(table: nil, "value")])
      return .isInResult(value, Self.elements([element], .taggedJSON(list: list, target)))
    }
  }

  private static func elements(
    _ columns: [SQLExpression], _ list: SQLParameter, function: String = "json_each",
    alias: String? = nil
  ) -> SQLSelect {
    SQLSelect(columns, from: .function(function, [.parameter(list)], alias: alias))
  }

  private func isFoldedMember(
    _ value: SQLExpression, _ list: Int, _ options: StringOptions
  ) -> SQLExpression {
    var select = Self.elements([.integer(1)], .taggedJSON(list: list, .untyped), alias: "list")
    let element = SQLExpression.function(
      dialect.function(.listElement), [.column(table: "list", "value")])
    select.condition = call(.equals, value, element, options)
    return .unlessNull(value, .exists(select))
  }

  private func plain(
    _ left: SQLExpression, _ operation: ComparisonOperator, _ right: SQLExpression
  ) -> SQLExpression {
    .binary(Self.sign(of: operation), left, right)
  }

  private func folded(
    _ left: SQLExpression, _ operation: ComparisonOperator, _ right: SQLExpression,
    _ options: StringOptions
  ) -> SQLExpression {
    let equals = call(.equals, left, right, options)
    switch operation {
    case .equal: return equals
    case .notEqual: return .not(equals)
    default:
      return .binary(
        Self.sign(of: operation), call(.compare, left, right, options), .integer(0))
    }
  }

  private static func sign(of operation: ComparisonOperator) -> SQLOperator {
    switch operation {
    case .notEqual: .notEqual
    case .lessThan: .less
    case .lessThanOrEqual: .lessOrEqual
    case .greaterThan: .greater
    case .greaterThanOrEqual: .greaterOrEqual
    default: .equal
    }
  }

  private func call(
    _ function: TextFunction, _ text: SQLExpression, _ pattern: SQLExpression,
    _ options: StringOptions
  ) -> SQLExpression {
    .function(dialect.function(function), [text, pattern, .integer(Int64(options.rawValue))])
  }
}

extension StringOptions {
  /// Whether strings are not ordered by their bytes.
  fileprivate var reorder: Bool {
    fold || (contains(.localeSensitive) && !contains(.normalized))
  }

  /// Whether different strings may compare as equal.
  fileprivate var fold: Bool {
    contains(.characters)
      || !contains(.normalized) && !isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
  }
}

extension SQLTarget {
  /// Whether a value of the target may be a string.
  fileprivate var mayBeText: Bool {
    switch self {
    case .untyped, .slot(.text): true
    default: false
    }
  }
}
