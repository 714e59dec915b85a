import Foundation
import Synchronization

/// The arguments of a predicate, which are converted once for all evaluations.
///
/// The arguments are immutable. A long list has a table, so that `IN` needs one lookup.
struct PreparedArguments {
  private let arguments: [Any?]
  private let operands: [EvaluatedOperand]
  private let tables: [OperandTable?]
  /// The folded strings of the lists; nil if no table contains strings.
  private let foldedLists: FoldedLists?

  /// The length from which a list has a table; shorter lists are searched from the front.
  private static let shortestTable = 8

  init(_ arguments: [Any?]) {
    self.arguments = arguments
    operands = arguments.map(EvaluatedOperand.init(any:))
    tables = operands.map(Self.table)
    foldedLists = tables.contains { $0?.holdsStrings == true } ? FoldedLists() : nil
  }

  /// Returns an argument in the form that comparisons use; null if there is no such argument.
  func operand(_ number: Int) -> EvaluatedOperand {
    operands.indices.contains(number) ? operands[number] : .value(.null)
  }

  /// Returns an argument in its original form.
  func any(_ number: Int) -> Any? {
    arguments.indices.contains(number) ? arguments[number] : nil
  }

  /// Whether an argument is an expression, which must become part of the tree.
  var holdsExpressions: Bool {
    operands.contains { operand in
      if case .object(let object) = operand { object is NSExpression } else { false }
    }
  }

  /// Returns whether a list argument contains an operand; nil if the list must be searched.
  func contains(
    _ operand: EvaluatedOperand, inList number: Int, _ options: StringOptions
  ) -> Bool? {
    guard tables.indices.contains(number), let table = tables[number] else { return nil }
    if table.holdsStrings, !options.allowsHashing { return nil }
    if table.holdsStrings, options.folds {
      guard case .value(.string(let text)) = operand else { return nil }
      return foldedLists?.contains(text, inList: number, table.operands, options)
    }
    return switch table.find(operand) {
    case .found: true
    case .absent: false
    case .undecided: nil
    }
  }

  private static func table(_ operand: EvaluatedOperand) -> OperandTable? {
    guard case .collection(let members) = operand, members.count >= shortestTable else {
      return nil
    }
    return OperandTable(members)
  }
}

/// The strings of list arguments, folded for comparisons that ignore case or diacritics. Each list
/// is folded at its first use with the options.
private final class FoldedLists: Sendable {
  private struct Key: Hashable {
    let number: Int
    let options: StringOptions
  }

  private let sets = Mutex<[Key: Set<Value>]>([:])

  /// Returns whether a list contains a string, compared with the given options.
  func contains(
    _ text: String, inList number: Int, _ members: [EvaluatedOperand], _ options: StringOptions
  ) -> Bool {
    let key = Key(number: number, options: options)
    let folded = Value.string(StringMatch.folded(text, options))
    if let known = sets.withLock({ $0[key]?.contains(folded) }) { return known }
    let made = Set(
      members.compactMap(\.text).map { Value.string(StringMatch.folded($0, options)) })
    sets.withLock { $0[key] = made }
    return made.contains(folded)
  }
}
