internal import Foundation

/// A decimal number in the form of archives: a sign, an exponent, and a mantissa of 16-bit words.
struct ArchivedDecimal {
  let exponent: Int
  /// The number of mantissa words in use.
  let length: Int
  let isNegative: Bool
  private let significand: UInt128

  /// Splits a number into its parts.
  init(_ number: NSDecimalNumber) {
    let decimal = number.decimalValue
    exponent = decimal.isNaN ? 0 : decimal.exponent
    // A significand is an integer of at most 128 bits, except that of NaN.
    significand = UInt128("\(decimal.significand)") ?? 0
    isNegative = decimal.isNaN || decimal.sign == .minus
    length = (UInt128.bitWidth - significand.leadingZeroBitCount + 15) / 16
  }

  /// Reads the parts from an archived object.
  ///
  /// - Throws: `ModelError` with code `.malformed` if a part is missing or out of range.
  init(_ object: ArchivedObject) throws(ModelError) {
    guard let exponent = try object.integer("NS.exponent"), (-128...127).contains(exponent),
      let length = try object.integer("NS.length"), (0...8).contains(length),
      case .data(let bytes)? = try object.value("NS.mantissa"), bytes.count == 16
    else { throw object.mismatch("NS.mantissa") }
    let isBigEndian = try object.integer("NS.mantissa.bo") == 2
    let raw = [UInt8](bytes)
    var significand: UInt128 = 0
    for place in (0..<length).reversed() {
      let (first, second) = (UInt128(raw[2 * place]), UInt128(raw[2 * place + 1]))
      significand = significand << 16 | (isBigEndian ? first << 8 | second : second << 8 | first)
    }
    self.exponent = exponent
    self.length = length
    self.significand = significand
    isNegative = try object.flag("NS.negative")
  }

  /// The number that the parts represent.
  var number: NSDecimalNumber {
    if significand == 0 { return isNegative ? .notANumber : zero }
    guard let digits = Decimal(string: "\(significand)") else { return .notANumber }
    return NSDecimalNumber(
      decimal: Decimal(
        sign: isNegative ? .minus : .plus, exponent: exponent, significand: digits))
  }

  /// Zero with the archived exponent, as in 0.00.
  private var zero: NSDecimalNumber {
    let fraction = String(repeating: "0", count: max(-exponent, 0))
    return NSDecimalNumber(string: fraction.isEmpty ? "0" : "0." + fraction)
  }

  /// The words as bytes, least significant byte first.
  var mantissa: Data {
    Data((0..<16).map { UInt8(truncatingIfNeeded: significand >> UInt128($0 * 8)) })
  }
}
