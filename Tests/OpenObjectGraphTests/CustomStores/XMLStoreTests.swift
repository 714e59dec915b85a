import Foundation
import OpenCoreData
import Testing

@Suite("The XML of stores")
struct XMLStoreTests {
  /// A file that Apple's framework wrote.
  private static let sample = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["OPENCOREDATA_SHARED"] ?? "../shared"
  )
  .appendingPathComponent("data/stores/coredataplus/V2toV3.xcmappingmodel/xcmapping.xml")

  private func open(
    _ model: NSManagedObjectModel, _ url: URL, _ options: [AnyHashable: Any]? = nil
  ) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSXMLStoreType, configurationName: nil, at: url, options: options)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  // MARK: Apple's file

  @Test(
    "a file that Apple's framework wrote is read",
    .enabled(
      if: FileManager.default.fileExists(atPath: sample.path), "the sample of Apple's is not here"))
  func appleFile() throws {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .xml, at: Self.sample)
    #expect(metadata[NSStoreUUIDKey] as? String == "498313E6-D672-4887-A947-08765F4F1012")
    #expect(metadata["NSPersistenceFrameworkVersion"] as? Int == 1044)
    let context = try open(
      Self.mappingModel(), Self.sample,
      [NSReadOnlyPersistentStoreOption: true, NSIgnorePersistentStoreVersioningOption: true])
    try context.performAndWait { () throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "XDDevEntityMapping")
      request.sortDescriptors = [NSSortDescriptor(key: "mappingNumber", ascending: true)]
      let mappings = try context.fetch(request)
      #expect(
        mappings.map { $0.value(forKey: "destinationName") as? String } == [
          "Car", "LuxuryCar", "Person", "SportCar", "Maker",
        ])
      let attributes = mappings[3].value(forKey: "attributeMappings") as? Set<NSManagedObject>
      #expect(attributes?.count == 3)
      #expect(
        (attributes?.first?.value(forKey: "entityMapping") as? NSManagedObject) === mappings[3])
      let count = NSFetchRequest<NSManagedObject>(entityName: "XDDevAttributeMapping")
      #expect(try context.count(for: count) == 14)
      let model = try context.fetch(
        NSFetchRequest<NSManagedObject>(entityName: "XDDevMappingModel")
      ).first
      let data = try #require(model?.value(forKey: "sourceModelData") as? Data)
      #expect(data.starts(with: Data("bplist00".utf8)))
      #expect(model?.objectID.uriRepresentation().lastPathComponent == "p129")
    }
  }

  /// The model of mapping models, as far as the file reveals it.
  private static func mappingModel() -> NSManagedObjectModel {
    let attribute = entity(
      "XDDevAttributeMapping", ["name": .stringAttributeType])
    let relationship = entity(
      "XDDevRelationshipMapping",
      [
        "name": .stringAttributeType, "autogenerateExpression": .booleanAttributeType,
        "valueExpressionData": .binaryDataAttributeType,
      ])
    let mapping = entity(
      "XDDevEntityMapping",
      [
        "migrationPolicyClassName": .stringAttributeType, "sourceName": .stringAttributeType,
        "mappingTypeName": .stringAttributeType, "mappingNumber": .integer16AttributeType,
        "destinationName": .stringAttributeType, "autogenerateExpression": .booleanAttributeType,
      ])
    let root = entity(
      "XDDevMappingModel",
      [
        "sourceModelPath": .stringAttributeType, "sourceModelData": .binaryDataAttributeType,
        "destinationModelPath": .stringAttributeType,
        "destinationModelData": .binaryDataAttributeType,
      ])
    relate(mapping, "attributeMappings", attribute, "entityMapping")
    relate(mapping, "relationshipMappings", relationship, "entityMapping")
    relate(root, "entityMappings", mapping, "mappingModel")
    let model = NSManagedObjectModel()
    model.entities = [attribute, relationship, mapping, root]
    return model
  }

  private static func entity(
    _ name: String, _ attributes: [String: NSAttributeType]
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = attributes.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      attribute.isOptional = true
      return attribute
    }
    return entity
  }

  private static func relate(
    _ one: NSEntityDescription, _ name: String, _ other: NSEntityDescription, _ inverseName: String
  ) {
    let relationship = NSRelationshipDescription()
    let inverse = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = other
    relationship.maxCount = 0
    inverse.name = inverseName
    inverse.destinationEntity = one
    inverse.maxCount = 1
    for side in [relationship, inverse] {
      side.minCount = 0
      side.isOptional = true
    }
    relationship.inverseRelationship = inverse
    inverse.inverseRelationship = relationship
    one.properties.append(relationship)
    other.properties.append(inverse)
  }

  // MARK: Own files

  @Test("objects are written as Apple's framework writes them")
  func layout() throws {
    let stack = try FileTestStack()
    let context = try open(stack.model, stack.url("store.xml"))
    try context.performAndWait { () throws in
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue("a < b & \"c\"\r\n\u{1F600}", forKey: "word")
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue(NSSet(object: tag), forKey: "tags")
      try context.save()
    }
    let text = try String(contentsOf: stack.url("store.xml"), encoding: .utf8)
    #expect(text.contains("<!DOCTYPE database SYSTEM"))
    #expect(text.contains("<nextObjectID>2</nextObjectID>"))
    #expect(
      text.contains(
        "        <attribute name=\"word\" type=\"string\">a &lt; b &amp; &quot;c&quot;&#13;\n\u{1F600}</attribute>\n"
      ))
    #expect(
      text.contains("<relationship name=\"tags\" type=\"0/0\" destination=\"TAG\" idrefs=\"z"))
    let again = try open(stack.model, stack.url("store.xml"))
    try again.performAndWait { () throws in
      let tag = try again.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).first
      #expect(tag?.value(forKey: "word") as? String == "a < b & \"c\"\r\n\u{1F600}")
      #expect((tag?.value(forKey: "books") as? NSSet)?.count == 1)
    }
  }

  @Test("texts with characters that XML cannot represent are read back")
  func controlCharacters() throws {
    let stack = try FileTestStack()
    let context = try open(stack.model, stack.url("store.xml"))
    let words = ["\u{0}", "a\u{1B}b", "\u{FFFE}", "", " blank ", "]]>"]
    try context.performAndWait { () throws in
      for word in words {
        NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
          .setValue(word, forKey: "word")
      }
      try context.save()
    }
    let again = try open(stack.model, stack.url("store.xml"))
    try again.performAndWait { () throws in
      let found = try again.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
      #expect(Set(found.compactMap { $0.value(forKey: "word") as? String }) == Set(words))
    }
  }

  @Test("hostile documents are errors, and no entity is expanded")
  func hostile() throws {
    let stack = try FileTestStack()
    let head = "<database><databaseInfo><UUID>A</UUID></databaseInfo>"
    let nested = String(repeating: "<dict>", count: 100_000)
    let documents = [
      "<!DOCTYPE database [<!ENTITY a \"b\">]>" + head + "</database>",
      head
        + "<object type=\"TAG\" id=\"z1\"><attribute name=\"word\">&a;</attribute></object></database>",
      head + "<object type=\"TAG\" id=\"z1\"/><object type=\"TAG\" id=\"z1\"/></database>",
      head + "<object type=\"TAG\" id=\"z9223372036854775807\"/></database>",
      head + "<object type=\"TAG\" id=\"z-1\"/></database>",
      head
        + "<object type=\"BOOK\" id=\"z1\"><relationship name=\"author\" idrefs=\"z7\"/></object></database>",
      head
        + "<object type=\"BOOK\" id=\"z1\"><relationship name=\"title\" idrefs=\"z1\"/></object></database>",
      "<database><databaseInfo><UUID>A</UUID><nextObjectID>9223372036854775807</nextObjectID></databaseInfo></database>",
      "<database><databaseInfo><UUID>A</UUID><metadata><plist>" + nested,
      "<database></database>", "<database>", "<database><databaseInfo/></database>",
    ]
    for document in documents {
      try Data(document.utf8).write(to: stack.url("store.xml"))
      let error = #expect(throws: CocoaError.self, "\(document.prefix(200))") {
        _ = try open(stack.model, stack.url("store.xml"))
      }
      #expect(error?.code == .fileReadCorruptFile, "\(document.prefix(200))")
    }
  }

  @Test("a save of a new object whose key could not be read back throws")
  func greatestKey() throws {
    let stack = try FileTestStack()
    let url = stack.url("store.xml")
    _ = try open(stack.model, url)
    let text = try String(contentsOf: url, encoding: .utf8).replacing(
      "<nextObjectID>0</nextObjectID>",
      with: "<nextObjectID>\((Int64(1) << 62) - 1)</nextObjectID>")
    try Data(text.utf8).write(to: url)
    let context = try open(stack.model, url)
    try context.performAndWait { () throws in
      NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
        .setValue("new", forKey: "word")
      #expect(throws: CocoaError.self) { try context.save() }
    }
    #expect(try String(contentsOf: url, encoding: .utf8) == text)
    _ = try open(stack.model, url)
  }

  @Test("metadata with too many nested collections is rejected (D-424)")
  func nestedMetadata() throws {
    func nested(_ count: Int) -> Any {
      (0..<count).reduce(1 as Any) { value, _ in ["key": value] }
    }
    let stack = try FileTestStack()
    let url = stack.url("store.xml")
    let context = try open(stack.model, url)
    let store = try #require(context.persistentStoreCoordinator?.persistentStores.first)
    try context.performAndWait { () throws in
      NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
        .setValue("good", forKey: "word")
      store.metadata["deep"] = nested(51)
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .persistentStoreSave)
      store.metadata["deep"] = nested(50)
      try context.save()
    }
    let again = try open(stack.model, url)
    let metadata = again.persistentStoreCoordinator?.persistentStores.first?.metadata
    var value = metadata?["deep"]
    for _ in 0..<50 { value = (value as? [String: Any])?["key"] }
    #expect(value as? Int == 1)
    let error = #expect(throws: CocoaError.self) {
      try NSPersistentStoreCoordinator.setMetadata(
        ["deep": nested(51)], forPersistentStoreOfType: NSXMLStoreType, at: url)
    }
    #expect(error?.code == .persistentStoreSave)
  }

  @Test("a document of more than ten megabytes is read back")
  func largeFile() throws {
    let stack = try FileTestStack()
    let context = try open(stack.model, stack.url("store.xml"))
    let text = String(repeating: "0123456789", count: 1_200_000)
    try context.performAndWait { () throws in
      NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
        .setValue(text, forKey: "word")
      try context.save()
    }
    let again = try open(stack.model, stack.url("store.xml"))
    try again.performAndWait { () throws in
      let tag = try again.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).first
      #expect(tag?.value(forKey: "word") as? String == text)
    }
  }
}
