import Foundation

extension Value {
  /// Creates a value from a Swift or Foundation value.
  ///
  /// `nil` and `NSNull` become ``null``; arrays and sets become ``list(_:)``. The initializer
  /// returns nil for a value of a type that has no corresponding case, such as a dictionary. The
  /// initializer also returns nil for an object whose `objectReference` is nil, and for collections
  /// that are nested more than 64 levels deep.
  public init?(any: Any?) {
    self.init(any: any, depth: 0)
  }

  /// Creates a list from the values of a dictionary.
  ///
  /// Returns nil if the argument is not a dictionary, or if `init(any:)` cannot convert one of the
  /// values.
  package init?(valuesOf dictionary: Any?) {
    guard let values = Collections.values(of: dictionary) else { return nil }
    self.init(any: values)
  }

  private static let greatestDepth = 64

  private init?(any: Any?, depth: Int) {
    guard let any else {
      self = .null
      return
    }
    guard let value = Value.plain(any) ?? Value.other(any, depth) else { return nil }
    self = value
  }

  /// The value as a Swift or Foundation value. Numbers are `NSNumber` objects, and null is nil.
  public var anyValue: Any? {
    switch self {
    case .null: nil
    case .bool(let flag): NSNumber(value: flag)
    case .int(let integer): SmallNumbers.number(integer)
    case .double(let real): NSNumber(value: real)
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .string(let text): text
    case .data(let data): data
    case .uuid(let uuid): uuid
    case .decimal(let box): NSDecimalNumber(decimal: box.decimal)
    case .url(let url): url
    case .object(let reference): reference
    case .list(let values): values.map { $0.anyValue ?? NSNull() }
    }
  }

  /// Converts frequent types, which are distinguished by their metatypes because casts are much
  /// slower.
  private static func plain(_ any: Any) -> Value? {
    func open<Content>(_ content: Content) -> Value? { opened(content) }
    return _openExistential(any, do: open)
  }

  private static func opened<Content>(_ content: Content) -> Value? {
    /// Returns the content as the given type. Call this method only after checking the metatype.
    func being<Kind>(_ kind: Kind.Type) -> Kind { unsafeBitCast(content, to: kind) }
    let type = Content.self
    if type == String.self { return .string(being(String.self)) }
    if type == Int.self { return .int(Int64(being(Int.self))) }
    if type == Bool.self { return .bool(being(Bool.self)) }
    if type == Double.self { return .double(being(Double.self)) }
    if type == Date.self { return .date(being(Date.self).timeIntervalSinceReferenceDate) }
    if type == Int64.self { return .int(being(Int64.self)) }
    if type == Int32.self { return .int(Int64(being(Int32.self))) }
    if type == Int16.self { return .int(Int64(being(Int16.self))) }
    if type == NSNumber.self { return Value(number: being(NSNumber.self)) }
    if type == UUID.self { return .uuid(being(UUID.self)) }
    if type == Data.self { return .data(being(Data.self)) }
    if type == URL.self { return .url(being(URL.self)) }
    if type == Decimal.self { return .decimal(DecimalValue(being(Decimal.self))) }
    if type == Int8.self { return .int(Int64(being(Int8.self))) }
    if type == UInt8.self { return .int(Int64(being(UInt8.self))) }
    if type == UInt16.self { return .int(Int64(being(UInt16.self))) }
    if type == UInt32.self { return .int(Int64(being(UInt32.self))) }
    if type == UInt.self { return Value(unsigned: UInt64(being(UInt.self))) }
    if type == UInt64.self { return Value(unsigned: being(UInt64.self)) }
    if type == Float.self { return .double(Double(being(Float.self))) }
    if type == Value.self { return being(Value.self) }
    if let type = type as? any ObjectReferencing.Type {
      return being(type).objectReference.map(Value.object)
    }
    return nil
  }

  private static func other(_ any: Any, _ depth: Int) -> Value? {
    guard depth <= greatestDepth else { return nil }
    // A cast to a class bridges a Swift collection with all its contents, recursively and without a
    // limit.
    guard type(of: any) is AnyObject.Type else { return plainOther(any, depth) }
    if let object = any as? any ObjectReferencing {
      return object.objectReference.map(Value.object)
    }
    if let members = Collections.members(of: any) { return list(of: members, depth + 1) }
    return (any as? NSObject).flatMap(Value.foundation)
  }

  /// Converts rarer values that are not objects.
  private static func plainOther(_ any: Any, _ depth: Int) -> Value? {
    if let list = uniformList(any) { return list }
    if let reference = any as? ObjectReference { return .object(reference) }
    if let substring = any as? Substring { return .string(String(substring)) }
    if let optional = any as? any OptionalWrapping {
      return Value(any: optional.wrapped, depth: depth + 1)
    }
    if type(of: any) == AnyHashable.self, let hashable = any as? AnyHashable {
      return Value(any: hashable.base, depth: depth + 1)
    }
    if any is any DictionaryReading { return nil }
    if let members = Collections.members(of: any) { return list(of: members, depth + 1) }
    return (any as? NSObject).flatMap(Value.foundation)
  }

  /// Converts an array of one frequent type, such as a long list for `IN`, without testing each
  /// member's type.
  private static func uniformList(_ any: Any) -> Value? {
    let type = type(of: any)
    if type == [String].self { return (any as? [String]).map { .list($0.map(Value.string)) } }
    if type == [Int].self { return (any as? [Int]).map { .list($0.map { .int(Int64($0)) }) } }
    if type == [Int64].self { return (any as? [Int64]).map { .list($0.map(Value.int)) } }
    if type == [UUID].self { return (any as? [UUID]).map { .list($0.map(Value.uuid)) } }
    return nil
  }

  private static func list(of members: [Any?], _ depth: Int) -> Value? {
    var values: [Value] = []
    values.reserveCapacity(members.count)
    for member in members {
      guard let value = Value(any: member, depth: depth) else { return nil }
      values.append(value)
    }
    return .list(values)
  }

  private static func foundation(_ object: NSObject) -> Value? {
    switch object {
    case is NSNull: .null
    case let decimal as NSDecimalNumber: .decimal(DecimalValue(decimal.decimalValue))
    case let number as NSNumber: Value(number: number)
    case let text as NSString: .string(text as String)
    case let date as NSDate: .date(date.timeIntervalSinceReferenceDate)
    case let data as NSData: .data(data as Data)
    case let uuid as NSUUID: .uuid(uuid as UUID)
    case let url as NSURL: .url(url as URL)
    default: nil
    }
  }

  private init(unsigned: UInt64) {
    self = Int64(exactly: unsigned).map(Value.int) ?? .decimal(DecimalValue(Decimal(unsigned)))
  }

  /// The class of numbers that are Boolean values.
  package static let booleanClass = ObjectIdentifier(type(of: NSNumber(value: true)))

  private init(number: NSNumber) {
    if ObjectIdentifier(type(of: number)) == Value.booleanClass {
      self = .bool(number.boolValue)
      return
    }
    // A variable of the type `NSNumber` may contain a decimal number.
    if type(of: number) == NSDecimalNumber.self {
      self = .decimal(DecimalValue(number.decimalValue))
      return
    }
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "d"), UInt8(ascii: "f"): self = .double(number.doubleValue)
    case UInt8(ascii: "Q"): self = Value(unsigned: number.uint64Value)
    default: self = .int(number.int64Value)
    }
  }
}

/// Objects for small integers, which are the most frequent values in numeric columns. They are
/// created once, because creating an object takes ten times as long as finding it.
private enum SmallNumbers {
  private static let range: ClosedRange<Int64> = -1...255
  private static let numbers = range.map { NSNumber(value: $0) }

  @inline(__always)
  static func number(_ integer: Int64) -> NSNumber {
    range.contains(integer)
      ? numbers[Int(integer - range.lowerBound)] : NSNumber(value: integer)
  }
}
