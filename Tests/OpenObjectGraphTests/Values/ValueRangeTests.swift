import Foundation
import OpenCoreData
import OpenObjectGraph
import Testing

@Suite("Ranges of attributes")
struct ValueRangeTests {
  static let stores = [NSSQLiteStoreType, NSInMemoryStoreType]

  private static func code(_ key: String, _ value: Any, _ type: String) throws -> Int? {
    return try ThingStack(type).run { context in
      let thing = HostileThing(context: context)
      thing.setValue(value, forKey: key)
      let error = try #require(throws: CocoaError.self, "\(key)") { try context.save() }
      #expect(error.validationKey == key)
      #expect(error.validationObject as AnyObject? === thing)
      return error.code.rawValue
    }
  }

  @Test("numbers out of the range of their attribute fail with Apple's codes", arguments: stores)
  func outOfRange(type: String) throws {
    #expect(try Self.code("small", 100_000, type) == 1610)
    #expect(try Self.code("small", -100_000, type) == 1620)
    #expect(try Self.code("middle", 1 << 40, type) == 1610)
    #expect(try Self.code("middle", -(1 << 40), type) == 1620)
    #expect(try Self.code("single", 1e300, type) == 1610)
    #expect(try Self.code("single", -1e300, type) == 1620)
  }

  @Test("attributes of every number type accept decimal numbers in their range", arguments: stores)
  func decimalNumbers(type: String) throws {
    try ThingStack(type).run { context in
      let thing = HostileThing(context: context)
      try thing.setCheckedValue(NSDecimalNumber(string: "2.5"), forKey: "real")
      try thing.setCheckedValue(NSDecimalNumber(string: "0.25"), forKey: "single")
      try thing.setCheckedValue(NSDecimalNumber(string: "-7.9"), forKey: "small")
      try thing.setCheckedValue(Decimal(string: "9223372036854775807"), forKey: "large")
      try thing.setCheckedValue(NSDecimalNumber(string: "1"), forKey: "flag")
      try context.save()
      #expect(thing.real == 2.5 && thing.single == 0.25)
      #expect(thing.small == -7 && thing.large == Int64.max && thing.flag)
      for key in ["large", "flag"] {
        #expect(throws: ObjectError.self, "\(key)") {
          try thing.setCheckedValue(NSDecimalNumber.notANumber, forKey: key)
        }
      }
      #expect(throws: ObjectError.self) {
        try thing.setCheckedValue(Decimal(string: "9223372036854775808"), forKey: "large")
      }
    }
    #expect(try Self.code("small", NSDecimalNumber(string: "100000"), type) == 1610)
    let large = Decimal(sign: .plus, exponent: 39, significand: 1)
    #expect(try Self.code("single", large, type) == 1610)
  }

  @Test("a decimal number in a variable of the type NSNumber keeps its value", arguments: stores)
  func decimalInNumber(type: String) throws {
    let number: NSNumber = NSDecimalNumber(string: "0.007")
    try ThingStack(type).run { context in
      let thing = HostileThing(context: context)
      thing.setValue(number, forKey: "amount")
      thing.setValue(number, forKey: "real")
      try context.save()
      #expect(thing.amount == Decimal(string: "0.007"))
      #expect(thing.real == 0.007)
    }
  }

  @Test(
    "invalid numbers and dates are rejected, whether or not a value is required",
    arguments: stores)
  func notANumber(type: String) throws {
    #expect(try Self.code("real", Double.nan, type) == 1550)
    #expect(try Self.code("single", Float.nan, type) == 1550)
    #expect(try Self.code("moment", Date(timeIntervalSinceReferenceDate: .nan), type) == 1650)
    for key in ["real", "moment"] {
      try ThingStack(type) { $0.attributesByName[key]?.isOptional = false }.run { context in
        let thing = HostileThing(context: context)
        thing.real = .nan
        thing.moment = Date(timeIntervalSinceReferenceDate: .nan)
        let error = try #require(throws: CocoaError.self) { try context.save() }
        #expect(error.code == .validationMultipleErrors)
        thing.real = 1
        thing.moment = Date(timeIntervalSinceReferenceDate: 2)
        try context.save()
      }
    }
  }

  @Test("an update out of range does not change the row", arguments: stores)
  func update(type: String) throws {
    let stack = try ThingStack(type)
    try stack.run { context in
      let thing = HostileThing(context: context)
      thing.setValue(5, forKey: "small")
      try context.save()
      thing.setValue(100_000, forKey: "small")
      #expect(throws: CocoaError.self) { try context.save() }
      #expect(thing.hasChanges)
    }
    #expect(try stack.takeValue("small") as? Int == 5)
  }

  @Test("validateValue reports numbers out of range")
  func validation() throws {
    try ThingStack(NSInMemoryStoreType).run { context in
      let thing = HostileThing(context: context)
      var value: AnyObject? = NSNumber(value: 70_000)
      let error = try #require(throws: CocoaError.self) {
        try thing.validateValue(&value, forKey: "small")
      }
      #expect(error.code == .validationNumberTooLarge && error.validationKey == "small")
    }
  }

  @Test(
    "an accessor whose type is too narrow for a value reports an error instead of truncating the value",
    arguments: stores)
  func narrowAccessor(type: String) throws {
    try ThingStack(type).run { context in
      let thing = HostileThing(context: context)
      thing.narrow = 12
      try context.save()
      #expect(thing.narrow == 12)
      thing.setValue(100_000, forKey: "narrow")
      try context.save()
      #expect(thing.narrow == .max)
      let error = try #require(throws: ObjectError.self) { try context.save() }
      #expect(error.entityName == "Thing" && error.propertyName == "narrow")
      thing.setValue(100_000, forKey: "small")
      #expect(thing.small == .max)
      #expect(throws: ObjectError.self) { try context.save() }
    }
  }

  @Test("infinity and numbers beyond the decimal range are not decimal numbers")
  func decimals() throws {
    try ThingStack(NSInMemoryStoreType).run { context in
      let thing = HostileThing(context: context)
      for value in [Double.infinity, -.infinity, .nan, 1e300, -1e300] {
        let error = try #require(throws: ObjectError.self) {
          try thing.setCheckedValue(value, forKey: "amount")
        }
        #expect(error.entityName == "Thing" && error.propertyName == "amount")
      }
      #expect(thing.value(forKey: "amount") == nil)
    }
  }

  @Test(
    "decimal numbers below 10^127 are saved and read back, and greater ones are rejected",
    arguments: stores)
  func largeDecimals(type: String) throws {
    for text in ["1e89", "-1e100", "3.5e110", "9e126"] {
      let number = NSDecimalNumber(string: text)
      let stack = try ThingStack(type)
      try stack.run { context in
        HostileThing(context: context).setValue(number, forKey: "amount")
        try context.save()
      }
      #expect(try stack.takeValue("amount") as? NSDecimalNumber == number, "\(text)")
    }
    for text in ["1e127", "-9e127", "12345678901234567890e108"] {
      #expect(try Self.code("amount", NSDecimalNumber(string: text), type) == 1550, "\(text)")
    }
  }

  @Test("default values out of range make the model unusable")
  func defaults() throws {
    let values: [(String, Any)] = [
      ("small", 100_000), ("middle", 1 << 40), ("real", Double.nan), ("amount", Double.infinity),
      ("amount", 1e300), ("amount", Decimal.nan), ("single", 1e300),
      ("moment", Date(timeIntervalSinceReferenceDate: .nan)),
    ]
    for (key, value) in values {
      let error = try #require(throws: CocoaError.self, "\(key)") {
        try ThingStack(NSInMemoryStoreType) { $0.attributesByName[key]?.defaultValue = value }
      }
      #expect((error.userInfo["OpenModelError"] as? ModelError)?.code == .mismatchedDefault)
    }
  }

  @Test("a transient attribute accepts only values of its type")
  func transient() throws {
    try ThingStack(NSInMemoryStoreType).run { context in
      let thing = HostileThing(context: context)
      try thing.setCheckedValue(5, forKey: "passing")
      for value in ["text", Data(), 100_000, NSObject(), [1], Double.nan] as [Any] {
        let error = try #require(throws: ObjectError.self) {
          try thing.setCheckedValue(value, forKey: "passing")
        }
        #expect(error.propertyName == "passing")
      }
      #expect(thing.value(forKey: "passing") as? Int == 5)
      try thing.setCheckedValue(nil, forKey: "passing")
      #expect(thing.value(forKey: "passing") == nil)
    }
  }

  @Test(
    "any number may be the time-out of a store",
    arguments: [Double.infinity, -.infinity, .nan, 1e18, -1, 0, .greatestFiniteMagnitude])
  func timeOut(seconds: Double) throws {
    try CodedItems.inFolder { folder in
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CodedItems.model())
      let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil,
        at: folder.appendingPathComponent("items.sqlite"),
        options: [NSPersistentStoreTimeoutOption: NSNumber(value: seconds)])
      try coordinator.remove(store)
    }
  }

  @Test(
    "a value that a primitive setter writes to an unchanged object is not a change",
    arguments: stores)
  func primitiveValue(type: String) throws {
    let stack = try ThingStack(type)
    try stack.run { context in
      let thing = HostileThing(context: context)
      thing.setValue("saved", forKey: "text")
      try context.save()
      thing.setPrimitiveValue("primitive", forKey: "text")
      #expect(!thing.hasChanges && !context.hasChanges && !thing.hasPersistentChangedValues)
      #expect(thing.changedValues().isEmpty)
      #expect(thing.value(forKey: "text") as? String == "primitive")
      // It is saved together with a change, and is one from then on.
      thing.setValue(5, forKey: "small")
      #expect(thing.changedValues()["text"] as? String == "primitive")
      try context.save()
    }
    #expect(try stack.takeValue("text") as? String == "primitive")
  }
}
