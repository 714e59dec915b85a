import Foundation

/// The arguments of a predicate, which are converted once for all evaluations.
///
/// The arguments are immutable. A long list with members of one kind has a set, so that `IN` needs
/// one lookup.
struct PreparedArguments {
  /// A list whose members have one kind, as a set.
  private struct HashedList {
    let kind: Int
    var members: Set<Value>
  }

  private let arguments: [Any?]
  private let operands: [EvaluatedOperand]
  private let sets: [HashedList?]

  /// The length from which a list has a set; shorter lists are searched from the front.
  private static let shortestSet = 8

  init(_ arguments: [Any?]) {
    self.arguments = arguments
    operands = arguments.map(EvaluatedOperand.init(any:))
    sets = operands.map(Self.set)
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

  /// Returns whether a list argument contains a value; nil if the list must be searched.
  func contains(_ value: Value, inList number: Int) -> Bool? {
    guard sets.indices.contains(number), let list = sets[number],
      Self.kind(of: value) == list.kind
    else { return nil }
    return list.members.contains(value)
  }

  private static func set(_ operand: EvaluatedOperand) -> HashedList? {
    guard case .collection(let members) = operand, members.count >= shortestSet,
      let first = members.first?.value, let kind = kind(of: first)
    else { return nil }
    var list = HashedList(kind: kind, members: Set(minimumCapacity: members.count))
    for member in members {
      guard let value = member.value, self.kind(of: value) == kind else { return nil }
      list.members.insert(value)
    }
    return list
  }

  /// Returns the kind of a value whose equality in predicates is equality of bytes; nil for other
  /// values.
  private static func kind(of value: Value) -> Int? {
    switch value {
    case .int: 0
    case .uuid: 1
    case .object: 2
    case .string: 3
    default: nil
    }
  }
}
