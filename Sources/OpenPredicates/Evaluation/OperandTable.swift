import Foundation

/// Operands that can be found by hash.
///
/// Operands are hashed if equality in predicates is equality of their hashed forms, which requires
/// that all operands other than null have one kind. Otherwise, lookups search the table from the
/// front.
struct OperandTable {
  /// A kind of values. Values of different kinds may be equal, such as 1 and "1".
  private enum Kind {
    case number, decimal, date, string, data, uuid, object
  }

  /// The result of a lookup.
  enum Finding: Equatable {
    case found(Int)
    case absent
    /// The hash does not decide whether the table contains an equal operand.
    case undecided
  }

  private(set) var operands: [EvaluatedOperand]
  private var places: [Value: Int] = [:]
  private var firstNull: Int?
  /// The kind of the operands other than null; nil if there are none.
  private var kind: Kind?
  private var isHashed = true

  init(_ operands: [EvaluatedOperand] = []) {
    self.operands = operands
    for (place, operand) in operands.enumerated() where isHashed { hash(operand, at: place) }
  }

  /// Whether the operands are hashed, and at least one of them is a string.
  var holdsStrings: Bool { isHashed && kind == .string }

  mutating func append(_ operand: EvaluatedOperand) {
    if isHashed { hash(operand, at: operands.count) }
    operands.append(operand)
  }

  private mutating func hash(_ operand: EvaluatedOperand, at place: Int) {
    if operand.isNull {
      firstNull = firstNull ?? place
      return
    }
    guard let (kind, value) = Self.hashedForm(of: operand), self.kind ?? kind == kind else {
      isHashed = false
      return
    }
    self.kind = kind
    if places[value] == nil { places[value] = place }
  }

  /// Looks up an operand by its hash.
  func find(_ operand: EvaluatedOperand) -> Finding {
    guard isHashed else { return .undecided }
    if operand.isNull { return firstNull.map(Finding.found) ?? .absent }
    guard let (kind, value) = Self.hashedForm(of: operand), self.kind ?? kind == kind else {
      return .undecided
    }
    return places[value].map(Finding.found) ?? .absent
  }

  /// Returns the position of the first operand that equals the given one; nil if there is none.
  func firstIndex(of operand: EvaluatedOperand) -> Int? {
    switch find(operand) {
    case .found(let place): place
    case .absent: nil
    case .undecided: operands.firstIndex { EvaluatedOperand.equals(operand, $0, []) }
    }
  }

  func contains(_ operand: EvaluatedOperand) -> Bool { firstIndex(of: operand) != nil }

  /// Returns the form of a value that all equal values of its kind share; nil if there is no such
  /// form.
  private static func hashedForm(of operand: EvaluatedOperand) -> (Kind, Value)? {
    guard case .value(let value) = operand else { return nil }
    switch value {
    case .bool(let flag): return (.number, .int(flag ? 1 : 0))
    case .int: return (.number, value)
    case .double(let real):
      // A larger number may equal an integer that a comparison rounds.
      guard abs(real) < 0x1p53 else { return nil }
      return (.number, Int64(exactly: real).map(Value.int) ?? value)
    case .decimal(let box): return box.decimal.isNaN ? nil : (.decimal, value)
    case .date(let seconds): return seconds.isNaN ? nil : (.date, value)
    case .string: return (.string, value)
    case .data: return (.data, value)
    case .uuid: return (.uuid, value)
    case .object: return (.object, value)
    case .null, .url, .list: return nil
    }
  }
}

extension StringOptions {
  /// Whether two strings are equal exactly if the bytes of their forms are equal; the forms are
  /// folded if the options fold.
  var allowsHashing: Bool { !contains(.characters) && !(folds && contains(.localeSensitive)) }
}
