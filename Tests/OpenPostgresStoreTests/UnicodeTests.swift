import Foundation
import OpenCoreData
import OpenPostgresStore
import PostgresTestServer
import Testing

/// Strings with each Unicode scalar, in a PostgreSQL store and in an in-memory store.
@Suite("Unicode scalars in a PostgreSQL store", .enabled(if: TestServer.isPresent))
struct UnicodeTests {
  /// The distance between the checked scalars; 1 with OPENCOREDATA_EVERY_SCALAR.
  private static let step: UInt32 =
    ProcessInfo.processInfo.environment["OPENCOREDATA_EVERY_SCALAR"] == nil ? 997 : 1

  /// Scalars that are always checked: those that the store encodes, bounds of ranges, and scalars
  /// whose case or form has special rules.
  private static let special: Set<UInt32> = [
    0, 1, 2, 0x7F, 0x80, 0xDF, 0x130, 0x131, 0x149, 0x1F0, 0x301, 0x345, 0x3A3, 0x3C2, 0x3C3,
    0x1E9E, 0x200D, 0x212A, 0x212B, 0xAC00, 0xD7FF, 0xE000, 0xFB01, 0xFE0F, 0xFEFF, 0xFFFE, 0xFFFF,
    0x1_0000, 0x1_0400, 0x1_0428, 0x1_F44D, 0x10_FFFF,
  ]

  private static let scalars: [Unicode.Scalar] = {
    let values: ClosedRange<UInt32> = 0...0x10_FFFF
    return values.filter { $0.isMultiple(of: step) || special.contains($0) }
      .compactMap { Unicode.Scalar($0) }
  }()

  // Invariant: the model is not changed once it is made.
  private nonisolated(unsafe) static let model: NSManagedObjectModel = {
    let word = NSEntityDescription()
    word.name = "Word"
    word.properties = ["text", "upper", "plain", "longer", "number"].map { name in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.type = name == "number" ? .integer64 : .string
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [word]
    return model
  }()

  private static func context(_ type: String, _ url: URL?) throws -> NSManagedObjectContext {
    try .opening(model, type, at: url)
  }

  private static func fill(
    _ context: NSManagedObjectContext, _ scalars: ArraySlice<Unicode.Scalar>
  ) throws {
    try context.performAndWait {
      for scalar in scalars {
        let text = String(Character(scalar))
        let word = NSEntityDescription.insertNewObject(forEntityName: "Word", into: context)
        word.setValue(Int64(scalar.value), forKey: "number")
        word.setValue(text, forKey: "text")
        word.setValue(text.uppercased(), forKey: "upper")
        word.setValue(text.decomposedStringWithCompatibilityMapping, forKey: "plain")
        word.setValue("a\(text)a", forKey: "longer")
      }
      try context.save()
      context.reset()
    }
  }

  /// Predicates that compare the strings of each object with each other or with constants.
  private static func predicates(
    _ scalars: ArraySlice<Unicode.Scalar>
  ) throws -> [NSPredicate] {
    var formats: [String] = ["", "[c]", "[d]", "[cd]", "[n]"].flatMap { (options: String) in
      [
        "text ==\(options) upper", "text !=\(options) upper", "text ==\(options) plain",
        "longer CONTAINS\(options) upper", "longer CONTAINS\(options) plain",
        "longer BEGINSWITH\(options) 'A'", "longer ENDSWITH\(options) 'A'",
        "text BEGINSWITH\(options) upper", "text ENDSWITH\(options) plain",
        "longer LIKE\(options) 'A?a'",
      ]
    }
    formats += [
      "text < upper", "text <= plain", "text > plain", "text >= upper", "longer MATCHES 'a.a'",
      "longer MATCHES[c] 'A.A'", "uppercase:(text) == upper", "length:(text) == 1",
    ]
    let texts = scalars.map { String(Character($0)) }
    let half = texts.indices.filter { $0.isMultiple(of: 2) }.map { texts[$0] }
    let bounds = [texts[texts.count / 4], texts[texts.count / 2]]
    var predicates: [NSPredicate] = []
    for format in formats { predicates.append(try NSPredicate.parsing(format)) }
    predicates.append(try NSPredicate.parsing("text IN %@", [half]))
    predicates.append(try NSPredicate.parsing("text BETWEEN %@", [bounds]))
    for index in texts.indices where index.isMultiple(of: 256) {
      for operation in ["text ==", "text <", "text BEGINSWITH", "longer CONTAINS[cd]"] {
        predicates.append(try NSPredicate.parsing("\(operation) %@", [texts[index]]))
      }
    }
    return predicates
  }

  private static func numbers(
    _ predicate: NSPredicate?, _ order: [NSSortDescriptor], in context: NSManagedObjectContext
  ) throws -> [Int64] {
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Word")
      request.predicate = predicate
      request.sortDescriptors = order + [NSSortDescriptor(key: "number", ascending: true)]
      return try context.fetch(request).compactMap { $0.value(forKey: "number") as? Int64 }
    }
  }

  @Test(
    "strings with each scalar are read unchanged, and are found and sorted as in an in-memory store"
  )
  func agreement() throws {
    let size = 4096
    for start in stride(from: 0, to: Self.scalars.count, by: size) {
      let scalars = Self.scalars[start..<min(start + size, Self.scalars.count)]
      try check(scalars, schema: "unicode_\(start)")
    }
  }

  private func check(_ scalars: ArraySlice<Unicode.Scalar>, schema: String) throws {
    let server = try TestServer.shared.get()
    let served = try Self.context(OpenPostgresStoreType, server.url(schema: schema))
    let memory = try Self.context(NSInMemoryStoreType, nil)
    for context in [served, memory] { try Self.fill(context, scalars) }
    let texts = try served.performAndWait {
      try served.fetch(NSFetchRequest<NSManagedObject>(entityName: "Word"))
        .compactMap { $0.value(forKey: "text") as? String }
    }
    // Strings are equal if they are canonically equivalent, but arrays of scalars are not.
    let stored: Set<[Unicode.Scalar]> = Set(texts.map { Array($0.unicodeScalars) })
    let expected: Set<[Unicode.Scalar]> = Set(scalars.map { [$0] })
    #expect(stored.symmetricDifference(expected).isEmpty)
    #expect(texts.count == scalars.count)
    for predicate in try Self.predicates(scalars) {
      let expected = try Self.numbers(predicate, [], in: memory)
      let found = try Self.numbers(predicate, [], in: served)
      let different = Set(found).symmetricDifference(expected).sorted()
      #expect(different.isEmpty, "\(predicate): \(different.prefix(8))")
    }
    for comparison in [SortComparison.plain, .caseInsensitive, .localized, .localizedStandard] {
      for isAscending in [true, false] {
        let order = [
          NSSortDescriptor(key: "text", ascending: isAscending, comparison: comparison)
        ]
        let expected = try Self.numbers(nil, order, in: memory)
        let found = try Self.numbers(nil, order, in: served)
        let difference = zip(expected, found).first { $0 != $1 }
        let isEqual = expected == found
        #expect(isEqual, "\(comparison): \(difference as Any)")
      }
    }
    // All scalars would fill the disk.
    try server.execute("DROP SCHEMA \(schema) CASCADE")
  }
}
