import Foundation
import OpenCoreData

/// Values at or beyond the limits of the attribute types.
enum HostileTable {
  private struct Plain { var number = 1 }
  private enum Choice { case first }
  private final class Bare {}

  static func values() -> [(name: String, value: Any)] {
    integers() + reals() + others() + structures() + nested()
  }

  private static func named(_ values: [Any]) -> [(name: String, value: Any)] {
    values.map { (text($0), $0) }
  }

  /// A value's text for a message; Foundation traps if it describes an invalid date.
  static func text(_ value: Any?) -> String {
    guard let value else { return "nil" }
    if let date = value as? Date { return "Date \(date.timeIntervalSinceReferenceDate)" }
    return "\(type(of: value)) \(value)"
  }

  private static func integers() -> [(name: String, value: Any)] {
    named([
      0, 1, -1, Int16.max, Int16.min, 32_768, -32_769, 100_000, Int32.max, Int32.min,
      2_147_483_648, -2_147_483_649, 1 << 40, Int64.max, Int64.min, UInt64.max, UInt8.max, true,
      false, NSNumber(value: 70_000), NSNumber(value: UInt64.max), NSNumber(value: true),
    ])
  }

  private static func reals() -> [(name: String, value: Any)] {
    named([
      0.0, -0.0, 1.5, -2.75, 1e300, -1e300, 1e127, 1e128, Double.leastNonzeroMagnitude, Double.nan,
      Double.signalingNaN,
      Double.infinity, -Double.infinity, Double.greatestFiniteMagnitude, 3.5e38, Float.nan,
      Float.infinity, Float.greatestFiniteMagnitude, Decimal(string: "12.5") ?? 0, Decimal.nan,
      Decimal.greatestFiniteMagnitude, Decimal(sign: .plus, exponent: 127, significand: 9),
      Decimal(sign: .minus, exponent: 127, significand: 11), NSDecimalNumber.notANumber,
      NSDecimalNumber.maximum,
      NSDecimalNumber(string: "-0.25"), NSNumber(value: Double.nan),
      NSNumber(value: Double.infinity),
    ])
  }

  private static func others() -> [(name: String, value: Any)] {
    named([
      "", "text", "a\u{0}b", "\u{0}", "\u{10FFFF}e\u{301}", String(repeating: "x", count: 10_000),
      "NaN", "$null", NSString(string: "text"), NSMutableString(string: "text"), Data(),
      Data([0, 255]), Data(repeating: 7, count: 16), NSMutableData(length: 3) ?? NSMutableData(),
      UUID(), NSUUID(), URL(fileURLWithPath: "/a b"), Date(timeIntervalSinceReferenceDate: 1.25),
      Date(timeIntervalSinceReferenceDate: .nan), Date(timeIntervalSinceReferenceDate: .infinity),
      Date.distantPast, Date.distantFuture, NSNull(), NSDate(timeIntervalSinceReferenceDate: 3),
    ])
  }

  private static func structures() -> [(name: String, value: Any)] {
    named([
      IndexSet([1, 2, 500, 70_000]), IndexSet(), IndexSet(integer: 3),
      IndexPath(indexes: [1, 70_000]),
      IndexPath(), IndexPath(index: 9), NSValue(range: NSRange(location: 3, length: 4)),
      NSValue(point: CGPoint(x: 1.5, y: -2)),
      NSValue(rect: CGRect(x: 1, y: 2, width: 3, height: 4)),
      NSValue(size: CGSize(width: 0.1, height: 1e300)), Locale(identifier: "de_DE"),
      TimeZone(secondsFromGMT: 3600) ?? .gmt, DateComponents(year: 2020, month: 3, weekOfYear: 7),
      DateComponents(calendar: Calendar(identifier: .gregorian), timeZone: .gmt, hour: 5),
      DateInterval(start: Date(timeIntervalSinceReferenceDate: 0), duration: 5),
      Measurement(value: 3, unit: UnitLength.meters),
      Measurement(value: 3, unit: UnitTemperature.fahrenheit),
      Measurement(value: 3, unit: UnitFuelEfficiency.milesPerGallon),
      Measurement(value: 3, unit: Unit(symbol: "spoons")), Calendar(identifier: .hebrew),
      CharacterSet.alphanumerics, NSAttributedString(string: "styled"),
      NSRange(location: 1, length: 2),
      CGPoint(x: 1, y: 2), Plain(), Choice.first, Bare(), NSObject(), MuteCover(),
      CodedCover("loose", pages: 3), { (number: Int) -> Int in number } as Any, (1, "tuple"),
      Set([1, 2, 3]), NSOrderedSet(array: [3, 1, 2]), NSCountedSet(array: [1, 1]),
      NSMutableArray(array: [1, "two"]), NSMutableDictionary(dictionary: ["a": 1]),
      NSMutableOrderedSet(array: [2, 1]), NSMutableSet(array: ["a"]),
      [Int?]([1, nil]),
    ])
  }

  private static func nested() -> [(name: String, value: Any)] {
    var shallow: Any = 1
    for _ in 0..<20 { shallow = ["inner": [shallow]] }
    var deep: Any = 1
    for _ in 0..<70 { deep = [deep] }
    return [
      ("empty array", [Any]()), ("empty dictionary", [String: Any]()),
      (
        "array",
        [1, "two", 3.5, Data([4]), NSNull(), Decimal(5), URL(fileURLWithPath: "/")] as [Any]
      ),
      ("dictionary", [1: "one", "two": [2], UUID(): Date.distantPast] as [AnyHashable: Any]),
      ("not a number inside", [Double.nan, Double.infinity]), ("20 levels", shallow),
      ("70 levels", deep), ("range inside", [NSRange(location: 1, length: 2)]),
      ("point inside", ["a": [CGPoint(x: 1, y: 2)]]),
      ("closure inside", [{ () -> Void in } as Any]),
      ("object inside", [CodedCover("inside", pages: 1)]),
      ("300 ordered members", NSOrderedSet(array: Array(0..<300))),
      ("indexes inside", [IndexSet([1, 5]), IndexPath(indexes: [1, 2])] as [Any]),
    ]
  }

  // MARK: Comparing

  /// Whether a value that was read equals the written value; NaN equals itself.
  static func isSame(_ one: Any?, _ other: Any?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    if let one = one as? NSNumber, let other = other as? NSNumber {
      if one.doubleValue.isNaN || other.doubleValue.isNaN {
        return one.doubleValue.isNaN && other.doubleValue.isNaN
      }
      return one.isEqual(other) || one.doubleValue == other.doubleValue
    }
    if let one = one as? Date, let other = other as? Date {
      let (one, other) = (
        one.timeIntervalSinceReferenceDate, other.timeIntervalSinceReferenceDate
      )
      return one == other || one.isNaN && other.isNaN
    }
    if let one = one as? DateInterval, let other = other as? DateInterval { return one == other }
    if let one = one as? [Any], let other = other as? [Any] {
      return one.count == other.count && zip(one, other).allSatisfy { isSame($0, $1) }
    }
    if let one = one as? [AnyHashable: Any], let other = other as? [AnyHashable: Any] {
      return one.count == other.count
        && one.allSatisfy { entry in
          other.contains { isSame(entry.key.base, $0.key.base) && isSame(entry.value, $0.value) }
        }
    }
    guard let one = one as? NSObject, let other = other as? NSObject else { return false }
    return one.isEqual(other)
  }

  /// Whether an error names its entity and property.
  static func names(_ error: any Error, _ key: String) -> Bool {
    if let error = error as? ObjectError {
      return error.entityName == "Thing" && error.propertyName == key
    }
    guard let error = error as? CocoaError else { return false }
    if let details = error.userInfo[NSDetailedErrorsKey] as? [any Error], !details.isEmpty {
      return details.allSatisfy { names($0, key) }
    }
    // The user info also contains the value, which is not printed because of its size.
    let text = error.localizedDescription
    return text.contains("Thing") && text.contains(key)
  }
}
