import Foundation
import OpenObjectModel
import OpenPredicates
import OpenSQLCore
import OpenStoreContract

/// Determines which conditions, sort terms and columns a server evaluates exactly as the library
/// evaluates them in memory.
///
/// Servers differ from each other and from Foundation in their treatment of strings, and SQL values
/// do not compare exactly like predicate values. If the results might differ, the library evaluates
/// the condition.
struct ServerJudgement {
  let plan: FetchPlan
  let model: CompiledModel

  /// The type of a value with regard to comparisons.
  fileprivate enum Kind: Equatable {
    case integer, real, date, decimal, text, uri, data, uuid
  }

  /// Returns whether the server can execute the complete plan.
  func allows(_ result: FetchLowering.Result) -> Bool {
    let shape = plan.shape
    guard shape.filter.map(allows) ?? true else { return false }
    if result == .values || (result == .count && shape.projection != nil) {
      guard let projection = shape.projection, allows(projection) else { return false }
    }
    return result == .count || shape.sort.allSatisfy(allows)
  }

  /// The part of the plan's filter that the server can evaluate; nil if there is no such part.
  /// Every row of the result satisfies this part.
  var allowedPart: Filter? {
    guard let filter = plan.shape.filter else { return nil }
    if allows(filter) { return filter }
    guard case .and(let parts) = filter else { return nil }
    let allowed = parts.filter(allows)
    return allowed.isEmpty ? nil : .and(allowed)
  }

  // MARK: Conditions

  private func allows(_ filter: Filter) -> Bool {
    switch filter {
    case .constant, .isKind: true
    case .and(let parts), .or(let parts): parts.allSatisfy(allows)
    case .not(let part), .isTrue(let part): allows(part)
    case .isNull(let operand): kind(of: operand) != nil
    case .comparison(let left, let operation, let right, let options):
      allows(left, operation, right, options)
    case .isMember(let operand, let list, let options): allowsMember(operand, list, options)
    case .isBetween(let operand, let lower, let upper):
      [lower, upper].allSatisfy { areComparable(operand, $0, isEquality: false) }
    case .exists(_, let part): allows(part)
    case .containsWords: false
    }
  }

  private func allows(
    _ left: Operand, _ operation: ComparisonOperator, _ right: Operand, _ options: StringOptions
  ) -> Bool {
    guard options.isEmpty else { return false }
    switch operation {
    case .equal, .notEqual: return areComparable(left, right, isEquality: true)
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
      return areComparable(left, right, isEquality: false)
    case .beginsWith:
      guard kind(of: left) == .text, case .binding(let position) = right,
        case .string(let text) = plan.binding(position),
        !text.isEmpty, text.unicodeScalars.allSatisfy({ $0.value > 2 }),
        case .text = TextRange.end(of: .string(text))
      else { return false }
      return true
    default: return false
    }
  }

  private func allowsMember(
    _ operand: Operand, _ list: Int, _ options: StringOptions
  ) -> Bool {
    guard options.isEmpty, let kind = kind(of: operand),
      case .list(let members) = plan.binding(list)
    else { return false }
    return members.allSatisfy { fits($0, kind) }
  }

  private func areComparable(_ left: Operand, _ right: Operand, isEquality: Bool) -> Bool {
    switch (left, right) {
    case (.binding, .binding): return false
    case (.binding(let position), let other), (let other, .binding(let position)):
      guard let kind = kind(of: other), isEquality || kind.isOrdered else { return false }
      return fits(plan.binding(position), kind)
    default:
      guard let one = kind(of: left), let other = kind(of: right) else { return false }
      return one == other && (isEquality || one.isOrdered)
    }
  }

  /// Returns whether a constant compares with values of a type on the server as in memory.
  private func fits(_ value: Value, _ kind: Kind) -> Bool {
    switch (kind, value) {
    case (_, .null): true
    case (.integer, .int), (.integer, .bool), (.integer, .object): true
    case (.real, .double(let real)), (.date, .date(let real)): !real.isNaN
    // A double cannot represent all greater integers.
    case (.real, .int(let integer)): integer.magnitude <= 1 << 53
    case (.decimal, .decimal(let decimal)): !decimal.decimal.isNaN
    case (.decimal, .int): true
    case (.text, .string), (.uri, .url), (.data, .data), (.uuid, .uuid): true
    default: false
    }
  }

  private func kind(of operand: Operand) -> Kind? {
    switch operand {
    case .property(let path):
      guard let property = path.property(in: model) else { return .integer }
      return property.attribute.map { Self.kind(of: $0.type) } ?? .integer
    case .entityNumber: return .integer
    case .count(_, let filter): return filter.map(allows) ?? true ? .integer : nil
    default: return nil
    }
  }

  private static func kind(of type: AttributeType) -> Kind? {
    switch type {
    case .integer16, .integer32, .integer64, .boolean, .objectID: .integer
    case .double, .float: .real
    case .date: .date
    case .decimal: .decimal
    case .string: .text
    case .uri: .uri
    case .uuid: .uuid
    case .binaryData, .transformable: .data
    case .composite, .undefined: nil
    }
  }

  // MARK: Order and columns

  private func allows(_ term: SortTerm) -> Bool {
    guard case .property = term.operand, let kind = kind(of: term.operand), kind.isOrdered else {
      return false
    }
    return kind != .text || term.collation == .binary
  }

  private func allows(_ projection: Projection) -> Bool {
    guard projection.groups.isEmpty, projection.condition == nil,
      !projection.isDistinct || plan.shape.sort.isEmpty
    else { return false }
    return projection.columns.allSatisfy { column in
      switch column.operand {
      case .property, .entityNumber: kind(of: column.operand) != nil
      default: false
      }
    }
  }
}

extension ServerJudgement.Kind {
  /// Whether the server orders values of this type as the library does.
  fileprivate var isOrdered: Bool { self != .data && self != .uuid && self != .uri }
}
