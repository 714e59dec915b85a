/// A function that formats can call, with its canonical name.
struct PredicateFunction {
  /// The canonical name, with colons.
  let name: String
  /// The possible numbers of operands.
  let operandCounts: ClosedRange<Int>

  /// Finds a function by name; a single colon may be omitted, and `now` may have one.
  init?(named text: String) {
    guard
      let (name, counts) = Self.find(text) ?? Self.find(text + ":")
        ?? Self.find(String(text.prefix { $0 != ":" }), for: text)
    else { return nil }
    (self.name, operandCounts) = (name, counts)
  }

  /// Returns the error of a built-in function with a wrong number of operands.
  ///
  /// The result is nil if the number is correct, and for a name that is not a canonical name.
  static func countError(_ name: String, _ count: Int) -> PredicateFormatError? {
    guard let counts = table[name], !counts.contains(count) else { return nil }
    return PredicateFormatError(
      code: .wrongOperandCount, message: "The function \(name) does not take \(count) operands.")
  }

  private static func find(_ name: String) -> (String, ClosedRange<Int>)? {
    table[name].map { (name, $0) }
  }

  private static func find(_ name: String, for text: String) -> (String, ClosedRange<Int>)? {
    text == name + ":" ? find(name) : nil
  }

  private static let table: [String: ClosedRange<Int>] = [
    "now": 0...0, "random": 0...0,
    "sum:": 1...64, "count:": 1...64, "min:": 1...64, "max:": 1...64, "average:": 1...64,
    "median:": 1...64, "mode:": 1...64, "stddev:": 1...64,
    "add:to:": 2...2, "from:subtract:": 2...2, "multiply:by:": 2...2, "divide:by:": 2...2,
    "modulus:by:": 2...2, "raise:toPower:": 2...2,
    "abs:": 1...1, "floor:": 1...1, "ceiling:": 1...1, "trunc:": 1...1, "sqrt:": 1...1,
    "log:": 1...1, "ln:": 1...1, "exp:": 1...1, "randomn:": 1...1,
    "bitwiseAnd:with:": 2...2, "bitwiseOr:with:": 2...2, "bitwiseXor:with:": 2...2,
    "leftshift:by:": 2...2, "rightshift:by:": 2...2, "onesComplement:": 1...1,
    "length:": 1...1, "uppercase:": 1...1, "lowercase:": 1...1, "canonical:": 1...1,
    "distanceToLocation:fromLocation:": 2...2, "noindex:": 1...1, "indexed:by:": 2...2,
    "castObject:toType:": 2...2, "objectFrom:withIndex:": 2...2,
  ]
}
