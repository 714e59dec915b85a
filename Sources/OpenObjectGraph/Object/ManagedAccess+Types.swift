public import Foundation
internal import OpenObjectModel
internal import OpenPredicates

// One pair of accessors for each type: getters that `@Managed` generates call `__read`, and setters
// call `__write`. For null, optional types read nil. All other types read the value that their
// accessor documents.

extension Int16 {
  /// Returns the value of an integer attribute; 0 for null.
  ///
  /// If the stored value does not fit into 16 bits, the accessor returns the nearest value that
  /// fits, and the next save throws `ObjectError`.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Int16 {
    Int16(truncatingIfNeeded: object.integer(key, width: 16))
  }

  /// Sets the value of an integer attribute.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Int16) {
    object.set(.int(Int64(value)), key, as: .integer, width: 16)
  }
}

extension Optional where Wrapped == Int16 {
  /// Returns the value of an optional integer attribute; nil for null.
  ///
  /// If the stored value does not fit into 16 bits, the accessor returns the nearest value that
  /// fits, and the next save throws `ObjectError`.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Int16? {
    object.integerOrNil(key, width: 16).map(Int16.init(truncatingIfNeeded:))
  }

  /// Sets the value of an optional integer attribute; nil stores null.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Int16?) {
    object.set(value.map { .int(Int64($0)) } ?? .null, key, as: .integer, width: 16)
  }
}

extension Int32 {
  /// Returns the value of an integer attribute; 0 for null.
  ///
  /// If the stored value does not fit into 32 bits, the accessor returns the nearest value that
  /// fits, and the next save throws `ObjectError`.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Int32 {
    Int32(truncatingIfNeeded: object.integer(key, width: 32))
  }

  /// Sets the value of an integer attribute.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Int32) {
    object.set(.int(Int64(value)), key, as: .integer, width: 32)
  }
}

extension Optional where Wrapped == Int32 {
  /// Returns the value of an optional integer attribute; nil for null.
  ///
  /// If the stored value does not fit into 32 bits, the accessor returns the nearest value that
  /// fits, and the next save throws `ObjectError`.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Int32? {
    object.integerOrNil(key, width: 32).map(Int32.init(truncatingIfNeeded:))
  }

  /// Sets the value of an optional integer attribute; nil stores null.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Int32?) {
    object.set(value.map { .int(Int64($0)) } ?? .null, key, as: .integer, width: 32)
  }
}

extension Int64 {
  /// Returns the value of an integer attribute; 0 for null.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Int64 {
    Int64(truncatingIfNeeded: object.integer(key))
  }

  /// Sets the value of an integer attribute.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Int64) {
    object.set(.int(Int64(value)), key, as: .integer)
  }
}

extension Optional where Wrapped == Int64 {
  /// Returns the value of an optional integer attribute; nil for null.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Int64? {
    object.integerOrNil(key)
  }

  /// Sets the value of an optional integer attribute; nil stores null.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Int64?) {
    object.set(value.map { .int(Int64($0)) } ?? .null, key, as: .integer)
  }
}

extension Int {
  /// Returns the value of an integer attribute; 0 for null.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Int {
    Int(truncatingIfNeeded: object.integer(key))
  }

  /// Sets the value of an integer attribute.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Int) {
    object.set(.int(Int64(value)), key, as: .integer)
  }
}

extension Optional where Wrapped == Int {
  /// Returns the value of an optional integer attribute; nil for null.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Int? {
    object.integerOrNil(key).map(Int.init(truncatingIfNeeded:))
  }

  /// Sets the value of an optional integer attribute; nil stores null.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Int?) {
    object.set(value.map { .int(Int64($0)) } ?? .null, key, as: .integer)
  }
}

extension Bool {
  /// Returns the value of a Boolean attribute; false for null.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Bool {
    object.integer(key) != 0
  }

  /// Sets the value of a Boolean attribute.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Bool) {
    object.set(.bool(value), key, as: .integer)
  }
}

extension Optional where Wrapped == Bool {
  /// Returns the value of an optional Boolean attribute; nil for null.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Bool? {
    object.integerOrNil(key).map { $0 != 0 }
  }

  /// Sets the value of an optional Boolean attribute; nil stores null.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Bool?) {
    object.set(value.map { .bool($0) } ?? .null, key, as: .integer)
  }
}

extension Double {
  /// Returns the value of a floating-point attribute; 0 for null.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Double {
    object.real(key)
  }

  /// Sets the value of a floating-point attribute.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Double) {
    object.set(.double(value), key, as: .real)
  }
}

extension Optional where Wrapped == Double {
  /// Returns the value of an optional floating-point attribute; nil for null.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Double? {
    object.realOrNil(key)
  }

  /// Sets the value of an optional floating-point attribute; nil stores null.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Double?) {
    object.set(value.map { .double($0) } ?? .null, key, as: .real)
  }
}

extension Float {
  /// Returns the value of a floating-point attribute; 0 for null.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Float {
    Float(object.real(key))
  }

  /// Sets the value of a floating-point attribute.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Float) {
    object.set(.double(Double(value)), key, as: .real)
  }
}

extension Optional where Wrapped == Float {
  /// Returns the value of an optional floating-point attribute; nil for null.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Float? {
    object.realOrNil(key).map { Float($0) }
  }

  /// Sets the value of an optional floating-point attribute; nil stores null.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Float?) {
    object.set(value.map { .double(Double($0)) } ?? .null, key, as: .real)
  }
}

extension Date {
  /// Returns the value of a date attribute; the reference date for null.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Date {
    Date(timeIntervalSinceReferenceDate: object.real(key))
  }

  /// Sets the value of a date attribute.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Date) {
    object.set(.date(value.timeIntervalSinceReferenceDate), key, as: .real)
  }
}

extension Optional where Wrapped == Date {
  /// Returns the value of an optional date attribute; nil for null.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Date? {
    object.realOrNil(key).map { Date(timeIntervalSinceReferenceDate: $0) }
  }

  /// Sets the value of an optional date attribute; nil stores null.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Date?) {
    object.set(value.map { .date($0.timeIntervalSinceReferenceDate) } ?? .null, key, as: .real)
  }
}

extension String {
  /// Returns the value of a string attribute; an empty string for null.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> String {
    object.text(key) ?? ""
  }

  /// Sets the value of a string attribute.
  public static func __write(
    _ object: NSManagedObject, _ key: __ManagedKey, _ value: consuming String
  ) {
    object.set(.string(value), key, as: .text)
  }
}

extension Optional where Wrapped == String {
  /// Returns the value of an optional string attribute; nil for null.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> String? {
    object.text(key)
  }

  /// Sets the value of an optional string attribute; nil stores null.
  public static func __write(
    _ object: NSManagedObject, _ key: __ManagedKey, _ value: consuming String?
  ) {
    switch consume value {
    case let text?: object.set(.string(text), key, as: .text)
    case nil: object.set(.null, key, as: .text)
    }
  }
}

extension Data {
  /// Returns the value of a binary attribute; empty data for null.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Data {
    object.typedValue(key) ?? Data()
  }

  /// Sets the value of a binary attribute.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Data) {
    object.set(.data(value), key, as: .blob)
  }
}

extension Optional where Wrapped == Data {
  /// Returns the value of an optional binary attribute; nil for null.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Data? {
    object.typedValue(key)
  }

  /// Sets the value of an optional binary attribute; nil stores null.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Data?) {
    object.set(value.map { .data($0) } ?? .null, key, as: .blob)
  }
}

extension UUID {
  /// Returns the value of a UUID attribute; a UUID of zeros for null.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> UUID {
    object.typedValue(key) ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }

  /// Sets the value of a UUID attribute.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: UUID) {
    object.set(.uuid(value), key, as: .blob)
  }
}

extension Optional where Wrapped == UUID {
  /// Returns the value of an optional UUID attribute; nil for null.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> UUID? {
    object.typedValue(key)
  }

  /// Sets the value of an optional UUID attribute; nil stores null.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: UUID?) {
    object.set(value.map { .uuid($0) } ?? .null, key, as: .blob)
  }
}

extension URL {
  /// Returns the value of a URL attribute; the URL of the root directory for null.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> URL {
    object.typedValue(key) ?? URL(fileURLWithPath: "/")
  }

  /// Sets the value of a URL attribute.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: URL) {
    object.set(.url(value), key, as: .text)
  }
}

extension Optional where Wrapped == URL {
  /// Returns the value of an optional URL attribute; nil for null.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> URL? {
    object.typedValue(key)
  }

  /// Sets the value of an optional URL attribute; nil stores null.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: URL?) {
    object.set(value.map { .url($0) } ?? .null, key, as: .text)
  }
}

extension Decimal {
  /// Returns the value of a decimal attribute; 0 for null.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Decimal {
    Decimal?.__read(object, key) ?? .zero
  }

  /// Sets the value of a decimal attribute.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Decimal) {
    object.set(.decimal(DecimalValue(value)), key, as: .decimal)
  }
}

extension Optional where Wrapped == Decimal {
  /// Returns the value of an optional decimal attribute; nil for null.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Decimal? {
    let number: NSDecimalNumber? = object.typedValue(key)
    return number?.decimalValue
  }

  /// Sets the value of an optional decimal attribute; nil stores null.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Decimal?) {
    object.set(value.map { .decimal(DecimalValue($0)) } ?? .null, key, as: .decimal)
  }
}
