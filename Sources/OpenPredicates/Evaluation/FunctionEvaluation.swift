import Foundation

/// Applies the functions of format strings to values in memory.
enum FunctionEvaluation {
  /// Applies a function; the result is null if the function does not accept an operand.
  static func apply(_ name: String, _ operands: [EvaluatedOperand]) -> EvaluatedOperand {
    if name == "now" { return .value(.date(Date().timeIntervalSinceReferenceDate)) }
    if name == "random" { return .value(.double(Double.random(in: 0..<1))) }
    if name == "indexed:by:", operands.count == 2 { return operands[0] }
    if let statistic = statistic(name, operands) { return statistic }
    switch (operands.count, operands.first) {
    case (1, .value(let value)?): return .value(unary(name, value))
    case (1, .some(let operand)): return name == "noindex:" ? operand : .value(.null)
    case (2, .value(let left)?):
      guard case .value(let right) = operands[1] else { return .value(.null) }
      return .value(binary(name, left, right))
    case (2, .collection(let members)?): return element(name, of: members, operands[1])
    default: return .value(.null)
    }
  }

  // MARK: Functions of many values

  private static func statistic(_ name: String, _ operands: [EvaluatedOperand]) -> EvaluatedOperand?
  {
    let members = operands.flatMap(\.elements)
    let values = members.compactMap(\.value).filter { $0 != .null }
    switch name {
    case "count:": return .value(.int(Int64(members.count)))
    case "sum:": return .value(Aggregation.sum(values))
    case "average:": return .value(Aggregation.average(values))
    case "min:": return .value(Aggregation.minimum(values))
    case "max:": return .value(Aggregation.maximum(values))
    case "median:": return .value(median(values))
    case "stddev:": return .value(deviation(values))
    case "mode:": return .collection(modes(values).map(EvaluatedOperand.value))
    default: return nil
    }
  }

  private static func median(_ values: [Value]) -> Value {
    let sorted = values.compactMap(\.realNumber).sorted()
    guard !sorted.isEmpty else { return .null }
    let middle = sorted.count / 2
    return .double(
      sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2)
  }

  private static func deviation(_ values: [Value]) -> Value {
    let numbers = values.compactMap(\.realNumber)
    guard !numbers.isEmpty else { return .null }
    let mean = numbers.reduce(0, +) / Double(numbers.count)
    let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return .double((squares / Double(numbers.count)).squareRoot())
  }

  private static func modes(_ values: [Value]) -> [Value] {
    var counts: [Value: Int] = [:]
    for value in values { counts[value.normalized, default: 0] += 1 }
    let most = counts.values.max() ?? 0
    return counts.filter { $0.value == most }.map(\.key)
      .sorted { Value.order($0, $1) == .orderedAscending }
  }

  private static func element(
    _ name: String, of members: [EvaluatedOperand], _ index: EvaluatedOperand
  ) -> EvaluatedOperand {
    guard name == "objectFrom:withIndex:", let position = index.value?.wholeNumber,
      position >= 0, position < members.count
    else { return .value(.null) }
    return members[Int(position)]
  }

  // MARK: Functions of one value

  private static func unary(_ name: String, _ value: Value) -> Value {
    switch name {
    case "noindex:": value
    case "length:": length(of: value)
    case "uppercase:": value.textForm.map { .string($0.uppercased()) } ?? .null
    case "lowercase:": value.textForm.map { .string($0.lowercased()) } ?? .null
    case "canonical:": value.textForm.map { .string(canonical($0)) } ?? .null
    case "onesComplement:": value.truncatedNumber.map { .int(~$0) } ?? .null
    case "randomn:":
      value.wholeNumber.map { .int($0 > 0 ? Int64.random(in: 0..<$0) : 0) } ?? .null
    default: numeric(name, value)
    }
  }

  private static func length(of value: Value) -> Value {
    if case .data(let data) = value { return .int(Int64(data.count)) }
    return value.textForm.map { .int(Int64($0.unicodeScalars.count)) } ?? .null
  }

  private static func canonical(_ text: String) -> String {
    StringMatch.folded(text, [.caseInsensitive, .diacriticInsensitive])
  }

  private static func numeric(_ name: String, _ value: Value) -> Value {
    if let integer = value.wholeNumber {
      switch name {
      case "abs:":
        return Int64(exactly: integer.magnitude).map(Value.int)
          ?? .double(Double(integer.magnitude))
      case "floor:", "ceiling:", "trunc:": return .int(integer)
      default: break
      }
    }
    guard let real = value.realNumber else { return .null }
    switch name {
    case "abs:": return .double(abs(real))
    case "floor:": return .double(real.rounded(.down))
    case "ceiling:": return .double(real.rounded(.up))
    case "trunc:": return .double(real.rounded(.towardZero))
    case "sqrt:": return real < 0 ? .null : .double(real.squareRoot())
    case "log:": return real <= 0 ? .null : .double(log10(real))
    case "ln:": return real <= 0 ? .null : .double(log(real))
    case "exp:": return .double(exp(real))
    default: return .null
    }
  }

  // MARK: Functions of two values

  private static func binary(_ name: String, _ left: Value, _ right: Value) -> Value {
    switch name {
    case "add:to:": return Arithmetic.apply(.add, left, right)
    case "from:subtract:": return Arithmetic.apply(.subtract, left, right)
    case "multiply:by:": return Arithmetic.apply(.multiply, left, right)
    case "divide:by:": return Arithmetic.apply(.divide, left, right)
    case "modulus:by:": return Arithmetic.apply(.modulus, left, right)
    case "raise:toPower:": return Arithmetic.apply(.power, left, right)
    case "castObject:toType:":
      guard case .string(let type) = right else { return .null }
      return left.cast(to: type) ?? .null
    default: return bits(name, left, right)
    }
  }

  private static func bits(_ name: String, _ left: Value, _ right: Value) -> Value {
    guard let one = left.truncatedNumber, let other = right.truncatedNumber else { return .null }
    return switch name {
    case "bitwiseAnd:with:": .int(one & other)
    case "bitwiseOr:with:": .int(one | other)
    case "bitwiseXor:with:": .int(one ^ other)
    case "leftshift:by:": .int(one << other)
    case "rightshift:by:": .int(one >> other)
    default: .null
    }
  }
}

extension Value {
  /// The value as an integer for bitwise operators; a fraction is dropped, and a number that is too
  /// large becomes the nearest integer, as in SQLite.
  var truncatedNumber: Int64? {
    if let wholeNumber { return wholeNumber }
    switch self {
    case .double(let real), .date(let real):
      if real.isNaN { return nil }
      return Int64(exactly: real.rounded(.towardZero)) ?? (real < 0 ? .min : .max)
    case .decimal: return realNumber.flatMap { Value.double($0).truncatedNumber }
    default: return nil
    }
  }
}
