import Foundation

/// The result of an expression during the evaluation of a predicate.
///
/// An operand is confined to one evaluation.
enum EvaluatedOperand {
  /// A value that is not a list.
  case value(Value)
  /// The members of a list, a collection or a to-many relationship.
  case collection([EvaluatedOperand])
  /// An object that no ``Value`` can represent.
  case object(Any)

  init(_ value: Value) {
    if case .list(let members) = value {
      self = .collection(members.map(EvaluatedOperand.init))
    } else {
      self = .value(value)
    }
  }

  init(any: Any?) {
    if let value = Value(any: any) {
      self.init(value)
    } else if let any, let members = Collections.members(of: any) {
      self = .collection(members.map(EvaluatedOperand.init(any:)))
    } else {
      self = any.map(EvaluatedOperand.object) ?? .value(.null)
    }
  }

  /// The value if the operand is exactly one value; otherwise nil.
  var value: Value? {
    if case .value(let value) = self { value } else { nil }
  }

  /// The operand as text for string operators: a string itself, or the absolute string of a URL.
  var text: String? {
    switch self {
    case .value(.string(let text)): text
    case .value(.url(let url)): url.absoluteString
    default: nil
    }
  }

  /// The members of the operand as the collection of `IN` or `CONTAINS`; nil if the operand is not
  /// a collection.
  ///
  /// The members of a dictionary are its values.
  var members: [EvaluatedOperand]? {
    switch self {
    case .collection(let members): members
    case .object(let object):
      Collections.values(of: object).map { $0.map { EvaluatedOperand(any: $0) } }
    case .value: nil
    }
  }

  /// The elements at any depth; null has none, and a single value is its own element.
  var elements: [EvaluatedOperand] {
    switch self {
    case .value(.null): []
    case .collection(let members):
      members.flatMap { member in
        if case .collection = member { return member.elements }
        return [member]
      }
    case .value, .object: [self]
    }
  }

  /// Returns whether two operands are equal for `==` and `IN`.
  static func equals(_ left: EvaluatedOperand, _ right: EvaluatedOperand, _ options: StringOptions)
    -> Bool
  {
    if options.folds || options.contains(.characters), let one = left.text, let other = right.text {
      return StringMatch.equals(one, other, options)
    }
    return switch (left, right) {
    case (.value(let one), .value(let other)): Value.equals(one, other)
    case (.object(let one), .object(let other)): areSame(one, other)
    case (.collection(let one), .collection(let other)):
      haveSameMembers(one, other, options)
    default: false
    }
  }

  /// Returns whether two collections have the same members equally often, in any order.
  private static func haveSameMembers(
    _ left: [EvaluatedOperand], _ right: [EvaluatedOperand], _ options: StringOptions
  ) -> Bool {
    guard left.count == right.count else { return false }
    if let areSame = haveSameHashedMembers(left, right, options) { return areSame }
    var rest = right
    for member in left {
      guard let place = rest.firstIndex(where: { equals(member, $0, options) }) else {
        return false
      }
      rest.remove(at: place)
    }
    return true
  }

  /// Returns whether two collections contain the same members the same number of times; nil if the
  /// hashes of the members do not decide whether members are equal.
  private static func haveSameHashedMembers(
    _ left: [EvaluatedOperand], _ right: [EvaluatedOperand], _ options: StringOptions
  ) -> Bool? {
    var members = left
    var table = OperandTable(right)
    if table.holdsStrings, !options.allowsHashing { return nil }
    if table.holdsStrings, options.folds {
      members = left.map { $0.folded(options) }
      table = OperandTable(right.map { $0.folded(options) })
    }
    // The number of members that are still to be found, by the position of the first equal member.
    var counts: [Int: Int] = [:]
    for member in table.operands {
      guard case .found(let place) = table.find(member) else { return nil }
      counts[place, default: 0] += 1
    }
    for member in members {
      switch table.find(member) {
      case .found(let place):
        guard let count = counts[place], count > 0 else { return false }
        counts[place] = count - 1
      case .absent: return false
      case .undecided: return nil
      }
    }
    return true
  }

  /// Returns a string in the form that comparisons with the given options compare by bytes; any
  /// other operand is unchanged.
  private func folded(_ options: StringOptions) -> EvaluatedOperand {
    guard case .value(.string(let text)) = self else { return self }
    return .value(.string(StringMatch.folded(text, options)))
  }

  /// Returns whether two lists of operands are equal element by element.
  static func areSame(_ left: [EvaluatedOperand], _ right: [EvaluatedOperand]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { equals($0, $1, []) }
  }

  private static func areSame(_ left: Any, _ right: Any) -> Bool {
    if let one = left as? NSObject, let other = right as? NSObject { return one.isEqual(other) }
    if let one = left as? AnyHashable, let other = right as? AnyHashable { return one == other }
    return (left as AnyObject) === (right as AnyObject)
  }
}
