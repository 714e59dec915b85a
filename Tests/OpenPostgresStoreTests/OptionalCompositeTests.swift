import Foundation
import OpenCoreData
import OpenPostgresStore
import PostgresTestServer
import Testing

@Suite("Optional composite attributes of a PostgreSQL store", .enabled(if: TestServer.isPresent))
struct OptionalCompositeTests {
  /// Persons with an optional address, which has a required zip code and an optional contact.
  // Invariant: the model is not changed once it is made.
  nonisolated(unsafe) private static let model: NSManagedObjectModel = {
    func attribute(
      _ name: String, _ type: NSAttributeType, isOptional: Bool = true
    ) -> NSAttributeDescription {
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, isOptional)
      return attribute
    }
    func composite(
      _ name: String, _ elements: NSAttributeDescription...
    ) -> NSCompositeAttributeDescription {
      let composite = NSCompositeAttributeDescription()
      (composite.name, composite.elements) = (name, elements)
      return composite
    }
    let contact = composite(
      "contact", attribute("phone", .stringAttributeType), attribute("since", .dateAttributeType))
    let person = NSEntityDescription()
    person.name = "Person"
    person.properties = [
      attribute("name", .stringAttributeType),
      composite(
        "address", attribute("street", .stringAttributeType),
        attribute("zip", .integer32AttributeType, isOptional: false), contact),
    ]
    let model = NSManagedObjectModel()
    model.entities = [person]
    return model
  }()

  private static let since = Date(timeIntervalSinceReferenceDate: 1_000.5)

  private let url: URL

  /// Creates a store with four persons: one with all values, two with some, one without an address.
  init() throws {
    PostgresStore.register()
    url = try TestServer.shared.get().newURL()
    let context = try context()
    try context.performAndWait {
      let contact: [String: Any] = ["phone": "1", "since": Self.since]
      insert("Ada", ["street": "High Street", "zip": 3, "contact": contact], in: context)
      insert("Bo", ["zip": 1], in: context)
      insert("Cy", nil, in: context)
      insert("Di", ["street": "Low Street", "zip": 2, "contact": ["phone": "2"]], in: context)
      try context.save()
    }
  }

  /// A context of a new stack on the store.
  private func context() throws -> NSManagedObjectContext {
    try .opening(Self.model, NSSQLiteStoreType, at: url)
  }

  private func insert(
    _ name: String, _ address: [String: Any]?, in context: NSManagedObjectContext
  ) {
    let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
    person.setValue(name, forKey: "name")
    person.setValue(address, forKey: "address")
  }

  private func persons(
    _ format: String? = nil, by key: String = "name", in context: NSManagedObjectContext
  ) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
    request.predicate = format.map { NSPredicate(format: $0) }
    request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
    return try context.fetch(request)
  }

  private func names(_ persons: [NSManagedObject]) -> [String] {
    persons.compactMap { $0.value(forKey: "name") as? String }
  }

  @Test("values, partial values and missing values are saved, changed and removed")
  func changes() throws {
    let context = try context()
    try context.performAndWait {
      let all = try persons(in: context)
      try #require(names(all) == ["Ada", "Bo", "Cy", "Di"])
      #expect(all[0].value(forKeyPath: "address.street") as? String == "High Street")
      #expect(all[0].value(forKeyPath: "address.contact.since") as? Date == Self.since)
      #expect((all[1].value(forKey: "address") as? [String: Any])?.keys.sorted() == ["zip"])
      #expect(all[2].value(forKey: "address") == nil)
      all[0].setValue(nil, forKey: "address")
      all[1].setValue("3", forKeyPath: "address.contact.phone")
      all[2].setValue(["zip": 4], forKey: "address")
      all[3].setValue(nil, forKeyPath: "address.contact")
      try context.save()
    }
    let other = try self.context()
    try other.performAndWait {
      let all = try persons(in: other)
      #expect(all[0].value(forKey: "address") == nil)
      #expect(all[1].value(forKeyPath: "address.contact.phone") as? String == "3")
      #expect(all[1].value(forKeyPath: "address.zip") as? Int == 1)
      #expect(all[2].value(forKeyPath: "address.zip") as? Int == 4)
      let last = all[3].value(forKey: "address") as? [String: Any]
      #expect(last?.keys.sorted() == ["street", "zip"])
    }
  }

  @Test("conditions and orders read elements of composites that may be missing")
  func conditions() throws {
    let context = try context()
    try context.performAndWait { () throws in
      func found(_ format: String) throws -> [String] {
        names(try persons(format, in: context))
      }
      #expect(try found("address.zip > 1") == ["Ada", "Di"])
      #expect(try found("address.zip == nil") == ["Cy"])
      #expect(try found("address.contact.phone == nil") == ["Bo", "Cy"])
      #expect(try found("address.contact.phone != '1'") == ["Di"])
      #expect(try found("address.street BEGINSWITH 'Low'") == ["Di"])
      #expect(names(try persons(by: "address.zip", in: context)) == ["Cy", "Bo", "Di", "Ada"])
    }
  }

  @Test("an address without its required element makes the save throw, and no address does not")
  func requiredElements() throws {
    let context = try context()
    try context.performAndWait {
      insert("Ed", ["street": "High Street"], in: context)
      insert("Flo", nil, in: context)
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .validationMissingMandatoryProperty)
      #expect(error?.validationKey == "address.zip")
      let ed = try #require(try persons("name == 'Ed'", in: context).first)
      ed.setValue(5, forKeyPath: "address.zip")
      try context.save()
    }
    let other = try self.context()
    try other.performAndWait {
      let all = try persons(in: other)
      #expect(names(all) == ["Ada", "Bo", "Cy", "Di", "Ed", "Flo"])
      #expect(all[4].value(forKeyPath: "address.zip") as? Int == 5)
      #expect(all[5].value(forKey: "address") == nil)
    }
  }
}
