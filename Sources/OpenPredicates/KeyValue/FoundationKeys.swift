import Foundation

/// Reads the keys of Foundation's values, for conditions on values.
///
/// On Apple platforms, key-value coding reads the properties and methods of `NSString`, `NSNumber`,
/// `NSDate`, `NSURL` and `NSData` by name.
enum FoundationKeys {
  /// Returns the value of a key; nil if the object is not such a value or does not have the key.
  static func value(forKey key: String, of object: Any) -> Any? {
    guard let value = Value(any: object) else { return nil }
    return switch value {
    case .string(let text): string(forKey: key, of: text)
    case .bool, .int, .double, .decimal: number(forKey: key, of: value)
    case .date(let seconds): date(forKey: key, seconds)
    case .url(let url): address(forKey: key, of: url)
    case .data(let data): key == "length" ? data.count : nil
    case .null, .uuid, .object, .list: nil
    }
  }

  private static func string(forKey key: String, of text: String) -> Any? {
    switch key {
    case "length": text.utf16.count
    case "intValue": Int32(clamping: integer(in: text))
    case "integerValue", "longLongValue": integer(in: text)
    case "doubleValue": real(in: text)
    case "floatValue": Float(real(in: text))
    case "boolValue": text.prefixMatch(of: /\s*(?:[YyTt]|[\-+]?0*[1-9])/) != nil
    case "uppercaseString": text.uppercased()
    case "lowercaseString": text.lowercased()
    case "capitalizedString": text.capitalized
    case "pathExtension": NSString(string: text).pathExtension
    case "lastPathComponent": NSString(string: text).lastPathComponent
    case "description": text
    default: nil
    }
  }

  private static func number(forKey key: String, of value: Value) -> Any? {
    switch key {
    case "intValue": Int32(truncatingIfNeeded: value.truncatedNumber ?? 0)
    case "integerValue", "longLongValue": value.truncatedNumber ?? 0
    case "doubleValue": value.realNumber
    case "floatValue": value.realNumber.map { Float($0) }
    case "boolValue": value.realNumber != 0
    case "stringValue", "description": text(of: value)
    default: nil
    }
  }

  private static func text(of number: Value) -> String? {
    switch number {
    case .decimal: number.textForm
    case .double(let real): Value.wholeText(of: real) ?? NSNumber(value: real).stringValue
    default: (number.anyValue as? NSNumber)?.stringValue
    }
  }

  private static func date(forKey key: String, _ seconds: Double) -> Any? {
    switch key {
    case "timeIntervalSinceReferenceDate": seconds
    case "description": Date(timeIntervalSinceReferenceDate: seconds).description
    default: nil
    }
  }

  private static func address(forKey key: String, of url: URL) -> Any? {
    switch key {
    case "absoluteString": url.absoluteString
    case "pathExtension": url.pathExtension
    case "lastPathComponent": url.lastPathComponent
    case "description": url.description
    default: nil
    }
  }

  /// Returns the integer at the beginning of a string; 0 without an integer, and the nearest
  /// integer if it has more than 64 bits.
  private static func integer(in text: String) -> Int64 {
    guard let digits = text.prefixMatch(of: /\s*([\-+]?[0-9]+)/)?.output.1 else { return 0 }
    return Int64(digits) ?? (digits.hasPrefix("-") ? .min : .max)
  }

  /// Returns the number at the beginning of a string; 0 without a number.
  private static func real(in text: String) -> Double {
    let number = /\s*([\-+]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][\-+]?[0-9]+)?)/
    return text.prefixMatch(of: number).flatMap { Double($0.output.1) } ?? 0
  }
}
