import Foundation
import OpenCoreData
import OpenPredicates
import Testing

/// Conditions in which a number is compared with a constant of another type, and functions of
/// numbers: fetches, also those that evaluate the condition in memory, and evaluation agree.
@Suite("Conditions on numbers")
struct NumberConditionTests {
  /// A format and the names of the objects that it selects.
  private typealias Case = (format: String, names: String)

  private static func makeModel() -> NSManagedObjectModel {
    let number = NSEntityDescription()
    number.name = "Number"
    number.properties = [
      attribute("name", .string), attribute("whole", .integer64), attribute("real", .double),
      attribute("exact", .decimal), attribute("bytes", .binaryData),
    ]
    let model = NSManagedObjectModel()
    model.entities = [number]
    return model
  }

  private static func insert(into context: NSManagedObjectContext) -> [NSManagedObject] {
    let rows: [[String: Any]] = [
      [
        "name": "a", "whole": 3, "real": 3.0, "exact": NSDecimalNumber(string: "3"),
        "bytes": Data([1, 2]),
      ],
      [
        "name": "b", "whole": 9_007_199_254_740_993, "real": 9_007_199_254_740_992.0,
        "exact": NSDecimalNumber(string: "1.5"), "bytes": Data(),
      ],
      [
        "name": "c", "whole": -4, "real": -4.5, "exact": NSDecimalNumber(string: "-4"),
        "bytes": Data([0]),
      ],
    ]
    return rows.map { row in
      let object = NSEntityDescription.insertNewObject(forEntityName: "Number", into: context)
      for (key, value) in row { object.setValue(value, forKey: key) }
      return object
    }
  }

  private static func request(_ predicate: NSPredicate) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Number")
    request.predicate = predicate
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    return request
  }

  private func run(
    _ type: String, _ body: (NSManagedObjectContext, [NSManagedObject]) throws -> Void
  ) throws {
    let description = NSPersistentStoreDescription(type: type)
    try ServedStores.place(description, ofType: type)
    let container = try NSPersistentContainer.loaded("Numbers", Self.makeModel(), [description])
    let context = container.newBackgroundContext()
    try context.performAndWait { () throws in
      try body(context, Self.insert(into: context))
    }
  }

  private func check(
    _ cases: [Case], _ type: String, _ prepare: ([NSManagedObject]) -> Void = { _ in }
  ) throws {
    try run(type) { context, objects in
      prepare(objects)
      for isSaved in [false, true] {
        if isSaved { try context.save() }
        for (format, names) in cases {
          let predicate = NSPredicate(format: format)
          let found = try context.fetch(Self.request(predicate))
          #expect(FetchingStack.names(of: found) == names, "\(format), saved: \(isSaved)")
          let either = NSCompoundPredicate(
            orPredicateWithSubpredicates: [predicate, NSPredicate { _, _ in false }])
          let selected = try context.fetch(Self.request(either))
          #expect(FetchingStack.names(of: selected) == names, "\(format) in memory")
          let evaluated = objects.filter { predicate.evaluate(with: $0) }
          #expect(FetchingStack.names(of: evaluated) == names, "\(format) evaluated")
        }
      }
    }
  }

  @Test(
    "a numeric string is compared with a number as a number, and a fetch and evaluation agree",
    arguments: FetchingModel.stores)
  func numericStrings(type: String) throws {
    try check(
      [
        ("real == '3'", "a"), ("whole == '3'", "a"), ("exact == '3'", "a"), ("'3' == real", "a"),
        ("exact == '1.5'", "b"), ("real != '3'", "bc"), ("real > '-5'", "abc"),
        ("whole < '10'", "ac"), ("real IN {'3', '4'}", "a"), ("real BETWEEN {'2', '4'}", "a"),
        ("real + 1 == '4'", "a"), ("real IN {exact, '7'}", "a"),
      ], type)
  }

  @Test(
    "the numbers of a list are compared with a string as strings, and a fetch and evaluation agree",
    arguments: FetchingModel.stores)
  func numbersBesideStrings(type: String) throws {
    try check(
      [
        ("name == 5.0", "5"), ("name IN {5.0, 7}", "5"), ("NOT name IN {5.0, 7}", "bc"),
        ("{5.0, 7} CONTAINS name", "5"), ("name BETWEEN {5.0, 6.5}", "5"),
      ], type
    ) { $0[0].setValue("5", forKey: "name") }
  }

  @Test(
    "NaN is nil in a condition, also as a decimal number and where memory evaluates the condition",
    arguments: FetchingModel.stores + ServedStores.types)
  func notANumber(type: String) throws {
    try run(type) { context, _ in
      for isSaved in [false, true] {
        if isSaved { try context.save() }
        for format in [
          "exact != %@", "NOT exact == %@", "NOT exact < %@", "real != %@", "NOT whole > %@",
          "NOT exact BETWEEN {%@, 9e18}", "%@ / exact == 0",
        ] {
          for number in [NSDecimalNumber.notANumber, Double.nan] as [Any] {
            let predicate = NSPredicate(format: format, argumentArray: [number])
            let either = NSCompoundPredicate(
              orPredicateWithSubpredicates: [predicate, NSPredicate { _, _ in false }])
            for condition in [predicate, either] {
              let found = try context.fetch(Self.request(condition))
              #expect(found.isEmpty, "\(format), saved: \(isSaved)")
            }
          }
        }
      }
    }
  }

  @Test(
    "a large integer that is compared with a real number is rounded to a real number",
    arguments: FetchingModel.stores)
  func largeIntegers(type: String) throws {
    try check(
      [
        ("real == 9007199254740993", "b"), ("9007199254740993 == real", "b"),
        ("real != 9007199254740993", "ac"), ("real < 9007199254740993", "ac"),
        ("real <= 9007199254740993", "abc"), ("real IN {9007199254740993, 3}", "ab"),
        ("real BETWEEN {9007199254740993, 9007199254740999}", "b"),
        ("real == '9007199254740993'", "b"), ("whole == 9007199254740993", "b"),
        ("whole == 9007199254740992", ""),
      ], type)
    try run(type) { context, _ throws in
      let list = NSPredicate(format: "real IN %@", [9_007_199_254_740_993, 3])
      #expect(try FetchingStack.names(of: context.fetch(Self.request(list))) == "ab")
    }
  }

  @Test(
    "a decimal number of any size and precision is compared by its value",
    arguments: FetchingModel.stores + ServedStores.types)
  func largeDecimals(type: String) throws {
    let numbers = [
      "18446744073709551616", "12345678901234567.5", "1e30", "99999999999999999999",
      "12345678901234567890e20", "1e100",
    ]
    let cases: [Case] = [
      ("exact == %@", "a"), ("%@ == exact", "a"), ("exact != %@", "bc"), ("exact < %@", "bc"),
      ("exact <= %@", "abc"), ("exact > %@", ""), ("exact >= %@", "a"),
      ("exact BETWEEN {0, %@}", "ab"),
    ]
    try run(type) { context, objects in
      for text in numbers {
        let number = NSDecimalNumber(string: text)
        objects[0].setValue(number, forKey: "exact")
        for isSaved in [false, true] {
          if isSaved { try context.save() }
          for (format, names) in cases {
            let found = try context.fetch(Self.request(NSPredicate(format: format, number)))
            #expect(
              FetchingStack.names(of: found) == names, "\(format) \(text), saved: \(isSaved)")
          }
        }
      }
    }
  }

  @Test(
    "a decimal number is calculated with as the nearest floating-point number",
    arguments: FetchingModel.stores)
  func calculatedDecimals(type: String) throws {
    try run(type) { context, objects in
      for text in ["0.007", "0.011", "0.014"] {
        objects[0].setValue(NSDecimalNumber(string: text), forKey: "exact")
        try context.save()
        let found = try context.fetch(Self.request(NSPredicate(format: "exact * 1 == \(text)")))
        #expect(FetchingStack.names(of: found) == "a", "\(text)")
      }
    }
  }

  @Test(
    "a decimal number is compared with a floating-point number as the nearest floating-point number",
    arguments: FetchingModel.stores)
  func fractions(type: String) throws {
    try check(
      [
        ("exact == 0.07", "ab"), ("0.07 == exact", "ab"), ("exact != 0.07", "c"),
        ("exact < 0.07", "c"), ("exact <= 0.07", "abc"), ("exact > 0.07", ""),
        ("exact IN {0.07, 5.5}", "ab"), ("exact BETWEEN {0.07, 0.08}", "ab"),
      ], type
    ) { objects in
      objects[0].setValue(0.07, forKey: "exact")
      // Foundation converts this number to 0.07000000000000001024.
      objects[1].setValue(NSDecimalNumber(decimal: Decimal(0.07)), forKey: "exact")
      #expect(objects[0].value(forKey: "exact") as? Decimal == Decimal(string: "0.07"))
    }
  }

  @Test(
    "the result type and a batch update convert a decimal number to all digits of its integer",
    arguments: FetchingModel.stores)
  func integersOfDecimals(type: String) throws {
    try run(type) { context, objects throws in
      objects[0].setValue(NSDecimalNumber(string: "9007199254740993"), forKey: "exact")
      try context.save()
      let types: [(String, NSAttributeType)] = [
        ("number", .integer64AttributeType), ("text", .stringAttributeType),
      ]
      let request = NSFetchRequest<NSDictionary>(entityName: "Number")
      request.resultType = .dictionaryResultType
      request.predicate = NSPredicate(format: "name == 'a'")
      request.propertiesToFetch = types.map { name, type in
        let column = NSExpressionDescription()
        (column.name, column.expressionResultType) = (name, type)
        column.expression = OpenPredicates.NSExpression(forKeyPath: "exact")
        return column
      }
      let row = try #require(try context.fetch(request).first)
      #expect(row["number"] as? Int64 == 9_007_199_254_740_993)
      #expect(row["text"] as? String == "9007199254740993")
      let update = NSBatchUpdateRequest(entityName: "Number")
      update.predicate = request.predicate
      update.propertiesToUpdate = ["whole": OpenPredicates.NSExpression(forKeyPath: "exact")]
      _ = try context.execute(update)
      context.refreshAllObjects()
      #expect(objects[0].value(forKey: "whole") as? Int64 == 9_007_199_254_740_993)
    }
  }

  @Test(
    "D-444: a sum of decimal numbers is exact in memory, and has 15 digits in SQLite",
    arguments: FetchingModel.stores)
  func sumsOfDecimals(type: String) throws {
    try run(type) { context, objects throws in
      for (object, text) in zip(objects, ["0.1", "0.2", "0.3"]) {
        object.setValue(NSDecimalNumber(string: text), forKey: "exact")
      }
      try context.save()
      let column = NSExpressionDescription()
      column.name = "sum"
      column.expression = OpenPredicates.NSExpression(format: "sum:(exact)")
      column.expressionResultType = .decimalAttributeType
      let request = NSFetchRequest<NSDictionary>(entityName: "Number")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = [column]
      let sum = try #require(try context.fetch(request).first?["sum"] as? NSDecimalNumber)
      if type == NSInMemoryStoreType { #expect(sum.decimalValue == Decimal(string: "0.6")) }
      #expect(abs(sum.doubleValue - 0.6) < 1e-12)
    }
  }

  @Test(
    "the bitwise complement of a number drops the fraction, as other bitwise functions do",
    arguments: FetchingModel.stores)
  func complements(type: String) throws {
    try check(
      [
        ("~exact == -4", "a"), ("~exact == -2", "b"), ("~exact == 3", "c"), ("~whole == 3", "c"),
        ("~real == -4", "a"), ("~real == 3", "c"),
      ], type)
  }

  @Test(
    "statistics of lists and the length of data are evaluated in memory",
    arguments: FetchingModel.stores)
  func evaluatedInMemory(type: String) throws {
    let cases: [Case] = [
      ("max({whole, 1}) == 3", "a"), ("min({real, 0}) == -4.5", "c"),
      ("average({whole, 1}) == 2", "a"), ("sum({whole, {1, 2}}) == 6", "a"),
      ("length(bytes) > 1", "a"), ("length(bytes) == 0", "b"),
    ]
    try check(cases, type)
    try run(type) { context, _ in
      for (format, _) in cases {
        let request = Self.request(NSPredicate(format: format))
        request.allowsEvaluationInMemory = false
        #expect(throws: CocoaError.self, "\(format)") { try context.fetch(request) }
      }
    }
  }

  @Test(
    "a quotient of a sum or a choice with a whole decimal number has a fraction",
    arguments: FetchingModel.stores)
  func quotientsOfDecimals(type: String) throws {
    try run(type) { context, objects in
      let four = NSDecimalNumber(string: "4")
      for isSaved in [false, true] {
        if isSaved { try context.save() }
        for format in [
          "(whole + %@) / 2 == 3.5", "7 / (whole + %@ - 5) == 3.5",
          "TERNARY(name == 'a', %@ - 1, whole) / 2 == 1.5",
        ] {
          let predicate = NSPredicate(format: format, four)
          let found = try context.fetch(Self.request(predicate))
          #expect(FetchingStack.names(of: found) == "a", "\(format), saved: \(isSaved)")
          #expect(FetchingStack.names(of: objects.filter { predicate.evaluate(with: $0) }) == "a")
        }
      }
    }
  }

  @Test(
    "a decimal number is found by a list of more than a thousand numbers only if it is in the list",
    arguments: FetchingModel.stores)
  func longLists(type: String) throws {
    try run(type) { context, objects in
      objects[1].setValue(NSDecimalNumber(string: "9007199254740993"), forKey: "exact")
      try context.save()
      let others = (1_000..<2_000).map { NSDecimalNumber(string: "\($0)") }
      for (number, names) in [("9007199254740993", "b"), ("9007199254740992", ""), ("-4", "c")] {
        let list = [NSDecimalNumber(string: number)] + others
        let request = Self.request(NSPredicate(format: "exact IN %@", argumentArray: [list]))
        #expect(FetchingStack.names(of: try context.fetch(request)) == names, "\(number)")
      }
    }
  }
}
