public import Foundation
internal import OpenObjectModel
internal import OpenPredicates

// One pair of accessors a type: `__read` for the getter and `__write` for the setter that `@Managed` makes.
// Values of optional types are nil for a null; the others read 0, false, "" or the reference date.

extension Int16 {
  /// Reads an integer property.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Int16 {
    Int16(truncatingIfNeeded: object.integer(key, width: 16))
  }

  /// Sets an integer property.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Int16) {
    object.set(.int(Int64(value)), key, as: .integer, width: 16)
  }
}

extension Optional where Wrapped == Int16 {
  /// Reads an integer property that may be nil.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Int16? {
    object.integerOrNil(key, width: 16).map(Int16.init(truncatingIfNeeded:))
  }

  /// Sets an integer property that may be nil.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Int16?) {
    object.set(value.map { .int(Int64($0)) } ?? .null, key, as: .integer, width: 16)
  }
}

extension Int32 {
  /// Reads an integer property.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Int32 {
    Int32(truncatingIfNeeded: object.integer(key, width: 32))
  }

  /// Sets an integer property.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Int32) {
    object.set(.int(Int64(value)), key, as: .integer, width: 32)
  }
}

extension Optional where Wrapped == Int32 {
  /// Reads an integer property that may be nil.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Int32? {
    object.integerOrNil(key, width: 32).map(Int32.init(truncatingIfNeeded:))
  }

  /// Sets an integer property that may be nil.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Int32?) {
    object.set(value.map { .int(Int64($0)) } ?? .null, key, as: .integer, width: 32)
  }
}

extension Int64 {
  /// Reads an integer property.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Int64 {
    Int64(truncatingIfNeeded: object.integer(key))
  }

  /// Sets an integer property.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Int64) {
    object.set(.int(Int64(value)), key, as: .integer)
  }
}

extension Optional where Wrapped == Int64 {
  /// Reads an integer property that may be nil.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Int64? {
    object.integerOrNil(key)
  }

  /// Sets an integer property that may be nil.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Int64?) {
    object.set(value.map { .int(Int64($0)) } ?? .null, key, as: .integer)
  }
}

extension Int {
  /// Reads an integer property.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Int {
    Int(truncatingIfNeeded: object.integer(key))
  }

  /// Sets an integer property.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Int) {
    object.set(.int(Int64(value)), key, as: .integer)
  }
}

extension Optional where Wrapped == Int {
  /// Reads an integer property that may be nil.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Int? {
    object.integerOrNil(key).map(Int.init(truncatingIfNeeded:))
  }

  /// Sets an integer property that may be nil.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Int?) {
    object.set(value.map { .int(Int64($0)) } ?? .null, key, as: .integer)
  }
}

extension Bool {
  /// Reads a Boolean property.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Bool {
    object.integer(key) != 0
  }

  /// Sets a Boolean property.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Bool) {
    object.set(.bool(value), key, as: .integer)
  }
}

extension Optional where Wrapped == Bool {
  /// Reads a Boolean property that may be nil.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Bool? {
    object.integerOrNil(key).map { $0 != 0 }
  }

  /// Sets a Boolean property that may be nil.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Bool?) {
    object.set(value.map { .bool($0) } ?? .null, key, as: .integer)
  }
}

extension Double {
  /// Reads a floating-point property.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Double {
    object.real(key)
  }

  /// Sets a floating-point property.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Double) {
    object.set(.double(value), key, as: .real)
  }
}

extension Optional where Wrapped == Double {
  /// Reads a floating-point property that may be nil.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Double? {
    object.realOrNil(key)
  }

  /// Sets a floating-point property that may be nil.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Double?) {
    object.set(value.map { .double($0) } ?? .null, key, as: .real)
  }
}

extension Float {
  /// Reads a floating-point property.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Float {
    Float(object.real(key))
  }

  /// Sets a floating-point property.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Float) {
    object.set(.double(Double(value)), key, as: .real)
  }
}

extension Optional where Wrapped == Float {
  /// Reads a floating-point property that may be nil.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Float? {
    object.realOrNil(key).map { Float($0) }
  }

  /// Sets a floating-point property that may be nil.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Float?) {
    object.set(value.map { .double(Double($0)) } ?? .null, key, as: .real)
  }
}

extension Date {
  /// Reads a date property.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Date {
    Date(timeIntervalSinceReferenceDate: object.real(key))
  }

  /// Sets a date property.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Date) {
    object.set(.date(value.timeIntervalSinceReferenceDate), key, as: .real)
  }
}

extension Optional where Wrapped == Date {
  /// Reads a date property that may be nil.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Date? {
    object.realOrNil(key).map { Date(timeIntervalSinceReferenceDate: $0) }
  }

  /// Sets a date property that may be nil.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Date?) {
    object.set(value.map { .date($0.timeIntervalSinceReferenceDate) } ?? .null, key, as: .real)
  }
}

extension String {
  /// Reads a text property.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> String {
    object.text(key) ?? ""
  }

  /// Sets a text property.
  public static func __write(
    _ object: NSManagedObject, _ key: __ManagedKey, _ value: consuming String
  ) {
    object.set(.string(value), key, as: .text)
  }
}

extension Optional where Wrapped == String {
  /// Reads a text property that may be nil.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> String? {
    object.text(key)
  }

  /// Sets a text property that may be nil.
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
  /// Reads a binary property.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Data {
    (object.anyValue(key) as? Data) ?? Data()
  }

  /// Sets a binary property.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Data) {
    object.set(.data(value), key, as: .blob)
  }
}

extension Optional where Wrapped == Data {
  /// Reads a binary property that may be nil.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Data? {
    object.anyValue(key) as? Data
  }

  /// Sets a binary property that may be nil.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Data?) {
    object.set(value.map { .data($0) } ?? .null, key, as: .blob)
  }
}

extension UUID {
  /// Reads a UUID property.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> UUID {
    (object.anyValue(key) as? UUID) ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }

  /// Sets a UUID property.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: UUID) {
    object.set(.uuid(value), key, as: .blob)
  }
}

extension Optional where Wrapped == UUID {
  /// Reads a UUID property that may be nil.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> UUID? {
    object.anyValue(key) as? UUID
  }

  /// Sets a UUID property that may be nil.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: UUID?) {
    object.set(value.map { .uuid($0) } ?? .null, key, as: .blob)
  }
}

extension URL {
  /// Reads a URL property.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> URL {
    (object.anyValue(key) as? URL) ?? URL(fileURLWithPath: "/")
  }

  /// Sets a URL property.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: URL) {
    object.set(.url(value), key, as: .text)
  }
}

extension Optional where Wrapped == URL {
  /// Reads a URL property that may be nil.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> URL? {
    object.anyValue(key) as? URL
  }

  /// Sets a URL property that may be nil.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: URL?) {
    object.set(value.map { .url($0) } ?? .null, key, as: .text)
  }
}

extension Decimal {
  /// Reads a decimal property.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Decimal {
    ((object.anyValue(key) as? NSDecimalNumber)?.decimalValue) ?? .zero
  }

  /// Sets a decimal property.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Decimal) {
    object.set(.decimal(DecimalValue(value)), key, as: .decimal)
  }
}

extension Optional where Wrapped == Decimal {
  /// Reads a decimal property that may be nil.
  public static func __read(_ object: NSManagedObject, _ key: __ManagedKey) -> Decimal? {
    (object.anyValue(key) as? NSDecimalNumber)?.decimalValue
  }

  /// Sets a decimal property that may be nil.
  public static func __write(_ object: NSManagedObject, _ key: __ManagedKey, _ value: Decimal?) {
    object.set(value.map { .decimal(DecimalValue($0)) } ?? .null, key, as: .decimal)
  }
}
