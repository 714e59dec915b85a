import Foundation

extension Value {
  /// Converts the value as `CAST` does.
  ///
  /// In addition to Apple's `NSDate`, `NSNumber` and `NSString`, the method supports the types
  /// without a literal, so that the text of any predicate can be parsed back.
  ///
  /// - Returns: The value; nil if the value cannot be converted or the type is unknown.
  func cast(to type: String) -> Value? {
    switch type {
    case "NSDate", "Date": realNumber.map(Value.date)
    case "NSNumber": numberCast
    case "NSString", "String": textForm.map(Value.string)
    case "NSDecimalNumber", "Decimal": decimalCast
    case "NSUUID", "UUID": textForm.flatMap { UUID(uuidString: $0) }.map(Value.uuid)
    case "NSURL", "URL": textForm.flatMap { URL(string: $0) }.map(Value.url)
    case "NSData", "Data": textForm.flatMap { Data(base64Encoded: $0) }.map(Value.data)
    case "NSManagedObjectID": textForm.flatMap(Value.reference)
    default: nil
    }
  }

  /// The value as a floating-point number if it is a number, a date, or a string with a number;
  /// otherwise nil.
  var realNumber: Double? {
    switch self {
    case .bool(let flag): flag ? 1 : 0
    case .int(let integer): Double(integer)
    case .double(let real), .date(let real): real
    case .decimal(let box): box.decimal.nearestDouble
    case .string(let text): Double(text)
    default: nil
    }
  }

  /// The value as a plain string; nil if it has none.
  var textForm: String? {
    switch self {
    case .string(let text): text
    case .url(let url): url.absoluteString
    case .uuid(let uuid): uuid.uuidString
    case .bool(let flag): flag ? "1" : "0"
    case .int(let integer): String(integer)
    case .double(let real), .date(let real): Self.text(of: real)
    case .decimal(let box): box.decimal.description
    default: nil
    }
  }

  /// Returns the text of a floating-point number; a whole number has no fraction, as in
  /// `NSNumber.stringValue` on Apple platforms.
  package static func text(of real: Double) -> String { wholeText(of: real) ?? real.description }

  /// Returns the digits of a whole number; nil for a fraction, for NaN, and for a number with a
  /// magnitude of 10^15 or more.
  package static func wholeText(of real: Double) -> String? {
    guard real.magnitude < 1e15, let integer = Int64(exactly: real) else { return nil }
    return String(integer)
  }

  private var numberCast: Value? {
    switch self {
    case .int, .double, .decimal, .bool: self
    case .date(let seconds): .double(seconds)
    case .string(let text): Self.number(in: text)
    default: nil
    }
  }

  /// Returns the number that a string represents, as an integer if possible, and otherwise as a
  /// double; nil if the string is not a number.
  package static func number(in text: String) -> Value? {
    Int64(text).map(Value.int) ?? Double(text).map(Value.double)
  }

  private var decimalCast: Value? {
    if case .string(let text) = self {
      // `Decimal` ignores what follows a number, and `Double` accepts hexadecimal digits and names.
      guard Double(text) != nil, text.utf8.allSatisfy({ "0123456789.+-eE".utf8.contains($0) })
      else { return nil }
      return Decimal(string: text).map { .decimal(DecimalValue($0)) }
    }
    return decimalNumber.map { .decimal(DecimalValue($0)) }
  }

  /// Reads a reference in the form "entity:store:key".
  private static func reference(_ text: String) -> Value? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let entity = UInt32(parts[0]), let store = UInt32(parts[1]),
      let key = Int64(parts[2])
    else { return nil }
    return .object(ObjectReference(entityToken: entity, storeToken: store, key: key))
  }
}
