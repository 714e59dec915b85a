import Foundation
import OpenPredicates
import Testing

@Suite struct ValueTests {
  @Test("the size of a value is at most seventeen bytes")
  func size() {
    #expect(MemoryLayout<Value>.size <= 17)
    #expect(MemoryLayout<Value>.stride == 24)
    #expect(MemoryLayout<ObjectReference>.size == 16)
  }

  @Test("Swift and Foundation values convert")
  func conversion() throws {
    let url = try #require(URL(string: "https://example.org"))
    let uuid = UUID()
    let samples: [(Any?, Value)] = [
      (nil, .null), (NSNull(), .null), (Optional<Int>.none as Any, .null), (true, .bool(true)),
      (NSNumber(value: true), .bool(true)), (NSNumber(value: 1), .int(1)), (1, .int(1)),
      (NSNumber(value: Int8(1)), .int(1)), (Int8(-1), .int(-1)), (UInt16.max, .int(65_535)),
      (UInt64.max, .decimal(DecimalValue(Decimal(UInt64.max)))), (Float(0.5), .double(0.5)),
      (NSNumber(value: 0.5), .double(0.5)),
      (NSNumber(value: UInt64.max), .decimal(DecimalValue(Decimal(UInt64.max)))),
      (NSDecimalNumber(string: "0.1"), .decimal(DecimalValue(Decimal(string: "0.1") ?? 0))),
      ("x", .string("x")), (NSString("x"), .string("x")), (Substring("x"), .string("x")),
      (Date(timeIntervalSinceReferenceDate: 1), .date(1)),
      (NSDate(timeIntervalSinceReferenceDate: 1), .date(1)),
      (Data([1]), .data(Data([1]))), (NSData(data: Data([1])), .data(Data([1]))),
      (uuid, .uuid(uuid)),
      (uuid as NSUUID, .uuid(uuid)), (url, .url(url)), (url as NSURL, .url(url)),
      ([1, 2], .list([.int(1), .int(2)])),
      (NSArray(array: [1, "x"]), .list([.int(1), .string("x")])),
      (Set([1]), .list([.int(1)])), (NSSet(array: [1]), .list([.int(1)])),
      ([1, nil] as [Int?], .list([.int(1), .null])),
      (NSOrderedSet(array: [2, 1]), .list([.int(2), .int(1)])),
    ]
    for (any, expected) in samples { #expect(Value(any: any) == expected, "\(expected)") }
    #expect(Value(any: NSObject()) == nil)
    #expect(Value(any: ["a": 1]) == nil)
    #expect(Value(any: [NSObject()]) == nil)
  }

  @Test("a decimal number in a variable of the type NSNumber keeps its digits")
  func decimalInNumber() throws {
    let decimal = try #require(Decimal(string: "12345678901234567890.007"))
    let number: NSNumber = NSDecimalNumber(decimal: decimal)
    #expect(Value(any: number) == .decimal(DecimalValue(decimal)))
    #expect(Value(any: [number]) == .list([.decimal(DecimalValue(decimal))]))
  }

  @Test("values convert back to the types that Foundation code expects")
  func conversionBack() {
    let values: [Value] = [
      .bool(true), .int(5), .double(0.5), .date(3), .string("x"), .data(Data([1])), .uuid(UUID()),
      .decimal(DecimalValue(1)), .list([.int(1), .null]),
    ]
    for value in values { #expect(Value(any: value.anyValue) == value) }
    #expect(Value.null.anyValue == nil)
    #expect(Value.int(5).anyValue is NSNumber)
  }

  @Test("numbers compare exactly across their kinds")
  func numbers() {
    let big: Int64 = 9_007_199_254_740_993
    #expect(Value.order(.int(big), .double(9_007_199_254_740_992)) == .orderedDescending)
    #expect(Value.order(.double(9_007_199_254_740_992), .int(big)) == .orderedAscending)
    #expect(Value.order(.int(.max), .double(0x1p63)) == .orderedAscending)
    #expect(Value.order(.int(.min), .double(-0x1p63)) == .orderedSame)
    #expect(Value.order(.int(-1), .double(-1.5)) == .orderedDescending)
    #expect(Value.order(.double(.infinity), .int(.max)) == .orderedDescending)
    #expect(Value.order(.double(.nan), .int(1)) == nil)
    #expect(Value.equals(.bool(true), .int(1)))
    #expect(Value.equals(.decimal(DecimalValue(2)), .double(2)))
    #expect(Value.order(.decimal(DecimalValue(2)), .double(1e300)) == .orderedAscending)
    #expect(Value.order(.double(-1e300), .decimal(DecimalValue(2))) == .orderedAscending)
    // Floating-point numbers that no decimal number can represent.
    #expect(Value.order(.decimal(DecimalValue(2)), .double(1e-300)) == .orderedDescending)
    #expect(Value.order(.double(-1e-300), .decimal(DecimalValue(0))) == .orderedAscending)
    #expect(Value.order(.decimal(DecimalValue(2)), .double(-.infinity)) == .orderedDescending)
    #expect(Value.order(.decimal(DecimalValue(2)), .double(.nan)) == nil)
    // Each decimal number equals its nearest real number.
    for text in ["0.07", "0.07000000000000001024", "-0.07", "18446744073709551616"] {
      let decimal = DecimalValue(Decimal(string: text) ?? 0)
      let real = text.hasPrefix("-") ? -0.07 : text.hasPrefix("0") ? 0.07 : 0x1p64
      #expect(Value.equals(.decimal(decimal), .double(real)), "\(text)")
      #expect(Value.order(.double(real.nextUp), .decimal(decimal)) == .orderedDescending)
    }
    #expect(DecimalValue(real: 0.07)?.decimal == Decimal(string: "0.07"))
    #expect(Value.equals(.date(5), .int(5)))
  }

  @Test("other kinds compare by bytes, and null comes first")
  func otherKinds() {
    #expect(Value.order(.null, .int(-5)) == .orderedAscending)
    #expect(Value.order(.string(""), .null) == .orderedDescending)
    #expect(Value.equals(.null, .null))
    #expect(Value.order(.data(Data([1])), .data(Data([1, 0]))) == .orderedAscending)
    #expect(Value.order(.string("10"), .int(9)) == .orderedAscending)
    #expect(Value.equals(.string("9"), .int(9)))
    #expect(Value.order(.data(Data()), .string("")) == nil)
    #expect(!Value.equals(.uuid(UUID()), .uuid(UUID())))
    let one = ObjectReference(entityToken: 1, storeToken: 1, key: 1)
    let other = ObjectReference(entityToken: 1, storeToken: 1, key: 2)
    #expect(Value.order(.object(one), .object(other)) == .orderedAscending)
    #expect(Value.equals(.list([.int(1)]), .list([.double(1)])))
  }
}
