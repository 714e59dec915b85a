import Foundation
import OpenCoreData
import OpenPredicates
import Testing

/// Conditions that must have the same results in stores, in-memory fetches and evaluation.
@Suite("Conditions in stores and in memory")
struct MemoryAgreementTests {
  /// A format, its arguments and the names of the objects that it selects.
  private typealias Case = (format: String, arguments: [Any], names: String)

  private static let codes = (1...2).map { number in
    UUID(uuid: (UInt8(number), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
  }

  private static func makeModel() -> NSManagedObjectModel {
    let sample = NSEntityDescription()
    sample.name = "Sample"
    let (owner, members) = (NSRelationshipDescription(), NSRelationshipDescription())
    (owner.name, members.name) = ("owner", "members")
    (owner.maxCount, members.maxCount) = (1, 0)
    for relationship in [owner, members] {
      relationship.destinationEntity = sample
      relationship.isOptional = true
    }
    (owner.inverseRelationship, members.inverseRelationship) = (members, owner)
    sample.properties = [
      attribute("name", .string), attribute("zip", .string), attribute("quantity", .integer64),
      attribute("code", .uuid), attribute("link", .uri), owner, members,
    ]
    let model = NSManagedObjectModel()
    model.entities = [sample]
    return model
  }

  /// The objects a and b; a is the owner of b.
  private static func insert(into context: NSManagedObjectContext) throws -> [NSManagedObject] {
    let rows: [[String: Any]] = [
      [
        "name": "a", "zip": "12345", "quantity": 5, "code": codes[0],
        "link": try #require(URL(string: "https://example.org/A")),
      ],
      [
        "name": "b", "zip": "99123", "quantity": 4, "code": codes[1],
        "link": try #require(URL(string: "https://example.org/b")),
      ],
    ]
    let objects = rows.map { row in
      let object = NSEntityDescription.insertNewObject(forEntityName: "Sample", into: context)
      for (key, value) in row { object.setValue(value, forKey: key) }
      return object
    }
    objects[1].setValue(objects[0], forKey: "owner")
    return objects
  }

  private static func request(_ predicate: NSPredicate) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Sample")
    request.predicate = predicate
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    return request
  }

  private func run(
    _ type: String, _ body: (NSManagedObjectContext, [NSManagedObject]) throws -> Void
  ) throws {
    let container = try NSPersistentContainer.loaded(
      "Samples", Self.makeModel(), [NSPersistentStoreDescription(type: type)])
    let context = container.newBackgroundContext()
    try context.performAndWait { () throws in
      try body(context, try Self.insert(into: context))
    }
  }

  private func check(_ cases: [Case], _ type: String) throws {
    try run(type) { context, objects in
      for isSaved in [false, true] {
        if isSaved { try context.save() }
        for (format, arguments, names) in cases {
          let predicate = NSPredicate(format: format, argumentArray: arguments)
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

  @Test("a UUID can be cast to a string", arguments: FetchingModel.stores)
  func castsOfIdentifiers(type: String) throws {
    let text = Self.codes[0].uuidString
    try check(
      [
        ("CAST(code, 'NSString') == %@", [text], "a"),
        ("CAST(code, 'NSString') != %@", [text], "b"),
        ("CAST(owner, 'NSString') == nil", [], "ab"),
      ], type)
  }

  @Test(
    "a string operator converts a number that is compared with a string property",
    arguments: FetchingModel.stores)
  func numbersInStrings(type: String) throws {
    try check(
      [
        ("zip BEGINSWITH %@", [12], "a"), ("zip BEGINSWITH 12", [], "a"),
        ("zip CONTAINS %@", [912], "b"), ("zip ENDSWITH %@", [123], "b"),
        ("zip LIKE %@", [12345], "a"), ("uppercase(zip) BEGINSWITH 99", [], "b"),
        ("zip ENDSWITH %@", [NSDecimalNumber(string: "45")], "a"),
      ], type)
  }

  @Test("the options of strings apply to URLs", arguments: FetchingModel.stores)
  func links(type: String) throws {
    let link = try #require(URL(string: "HTTPS://example.org/a"))
    try check(
      [
        ("link ==[c] %@", [link], "a"), ("link ==[c] 'https://EXAMPLE.org/a'", [], "a"),
        ("link !=[c] 'https://EXAMPLE.org/a'", [], "b"),
        ("link <[c] 'HTTPS://EXAMPLE.ORG/B'", [], "a"),
        ("link IN[c] %@", [["HTTPS://example.org/a", "x"]], "a"),
        ("link == 'https://example.org/a'", [], ""),
      ], type)
  }

  @Test("a URL can be the beginning of URLs", arguments: FetchingModel.stores)
  func beginnings(type: String) throws {
    let folder = try #require(URL(string: "https://example.org/"))
    let file = try #require(URL(string: "https://example.org/A"))
    try check(
      [
        ("link BEGINSWITH %@", [folder], "ab"), ("link BEGINSWITH %@", [file], "a"),
        ("NOT link BEGINSWITH %@", [file], "b"), ("link BEGINSWITH[c] %@", [file], "a"),
      ], type)
  }

  @Test(
    "a quotient with a decimal number as an operand has a fraction",
    arguments: FetchingModel.stores)
  func quotients(type: String) throws {
    try check(
      [
        ("CAST(quantity, 'NSDecimalNumber') / 2 == 2.5", [], "a"),
        ("(CAST(quantity, 'NSDecimalNumber') + 1) / 2 == 2.5", [], "b"),
        ("quantity / %@ == 2.5", [NSDecimalNumber(string: "2")], "a"),
        ("%@ / quantity == 1.25", [NSDecimalNumber(string: "5")], "b"),
        ("quantity / %@ == 2", [2], "ab"),
      ], type)
  }

  @Test(
    "ANY of a single value is false for an object without the value",
    arguments: FetchingModel.stores)
  func anyOfOneValue(type: String) throws {
    try check(
      [
        ("ANY owner.zip == '12345'", [], "b"), ("NOT ANY owner.zip == '12345'", [], "a"),
        ("NONE owner.zip == '9'", [], "ab"), ("ANY zip == '12345'", [], "a"),
      ], type)
  }

  @Test(
    "a choice of numbers lies between limits that are strings with numbers",
    arguments: FetchingModel.stores)
  func choicesBetween(type: String) throws {
    let limits = ["1", "1"]
    try check(
      [
        ("TERNARY(quantity == 5, 1, 2) BETWEEN {'1', '1'}", [], "a"),
        ("TERNARY(quantity == 5, 1, 2) BETWEEN %@", [limits], "a"),
        ("TERNARY(quantity == 5, 1, 2) BETWEEN {2, 3}", [], "b"),
      ], type)
  }

  @Test(
    "FETCH next to an in-memory condition has the inner request's results and throws its error",
    arguments: FetchingModel.stores)
  func fetchInMemory(type: String) throws {
    try run(type) { context, _ in
      try context.save()
      let all = NSFetchRequest<NSManagedObject>(entityName: "Sample")
      let format = "length(CAST(code, 'NSString')) > FETCH(%@, %@, YES)"
      let counting = NSPredicate(format: format, argumentArray: [all, context])
      let found = try context.fetch(Self.request(counting))
      #expect(FetchingStack.names(of: found) == "ab")
      let wrong = NSPredicate(format: format, argumentArray: ["no request", context])
      #expect(throws: CocoaError.self) { try context.fetch(Self.request(wrong)) }
    }
  }

  @Test(
    "in the condition on groups, the member of a subquery has its own properties, also those named like a column",
    arguments: FetchingModel.stores)
  func columnsAndMembers(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let column = NSExpressionDescription()
      column.name = "rank"
      column.expression = OpenPredicates.NSExpression(format: "count:(name)")
      column.expressionResultType = .integer64AttributeType
      let request = NSFetchRequest<NSDictionary>(entityName: "Owner")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["name", column]
      request.propertiesToGroupBy = ["name"]
      request.havingPredicate = NSPredicate(
        format: "SUBQUERY(items, $x, $x.rank == 1).@count == 2")
      #expect(try stack.context.fetch(request).map { $0["name"] as? String } == ["a"])
    }
  }
}
