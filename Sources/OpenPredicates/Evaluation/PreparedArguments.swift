import Foundation

/// The arguments of one predicate, converted once for all evaluations.
///
/// Immutable after its making. Long lists of one kind get a set, so that `IN` costs one look-up.
struct PreparedArguments {
  /// A list whose members are of one kind, by hash.
  private struct HashedList {
    let kind: Int
    var members: Set<Value>
  }

  private let arguments: [Any?]
  private let operands: [EvaluatedOperand]
  private let sets: [HashedList?]

  /// Lists shorter than this are searched from the front.
  private static let shortestSet = 8

  init(_ arguments: [Any?]) {
    self.arguments = arguments
    operands = arguments.map(EvaluatedOperand.init(any:))
    sets = operands.map(Self.set)
  }

  /// An argument in the form used for comparisons; null when no argument has that number.
  func operand(_ number: Int) -> EvaluatedOperand {
    operands.indices.contains(number) ? operands[number] : .value(.null)
  }

  /// An argument as it was given.
  func any(_ number: Int) -> Any? {
    arguments.indices.contains(number) ? arguments[number] : nil
  }

  /// Whether an argument is an expression, which belongs into the tree.
  var holdsExpressions: Bool {
    operands.contains { operand in
      if case .object(let object) = operand { object is NSExpression } else { false }
    }
  }

  /// Whether a list argument holds a value; nil when the question needs a search.
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

  /// The kinds whose equality in predicates is that of their bytes; others are searched.
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
