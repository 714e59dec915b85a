/// Converts exact numbers in the server's binary format to text.
enum NumericText {
  /// Returns the decimal digits of a number; nil for NaN, infinity, and malformed bytes.
  static func text(of bytes: UnsafeBufferPointer<UInt8>) -> String? {
    func word(_ index: Int) -> Int { Int(bytes[2 * index]) << 8 | Int(bytes[2 * index + 1]) }
    guard bytes.count >= 8 else { return nil }
    let count = word(0)
    let weight = Int(Int16(truncatingIfNeeded: word(1)))
    let (sign, scale) = (word(2), word(3))
    guard bytes.count >= 8 + 2 * count, sign == 0 || sign == 0x4000 else { return nil }
    /// Returns a group of four decimal digits by its position. The last group before the decimal
    /// point has the position 0.
    func group(_ place: Int) -> String {
      let index = weight - place
      let value = (0..<count).contains(index) ? word(4 + index) : 0
      let digits = String(value)
      return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
    var whole = weight < 0 ? "0" : (0...weight).reversed().map(group).joined()
    whole = String(whole.drop { $0 == "0" })
    var fraction = scale == 0 ? "" : (1...(scale + 3) / 4).map { group(-$0) }.joined()
    fraction = String(fraction.prefix(scale))
    while fraction.last == "0" { fraction.removeLast() }
    let text = (whole.isEmpty ? "0" : whole) + (fraction.isEmpty ? "" : "." + fraction)
    return sign == 0x4000 && text != "0" ? "-" + text : text
  }
}
