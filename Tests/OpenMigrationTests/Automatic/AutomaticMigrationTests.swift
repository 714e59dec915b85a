import Foundation
import OpenCoreData
import OpenMigration
import OpenObjectGraph
import OpenObjectModel
import OpenPredicates
import Testing
import class OpenPredicates.NSExpression

/// Stores of an older version that are migrated when they are added.
@Suite("Automatic migration")
struct AutomaticMigrationTests {
  private let fixture: MigrationFixture
  private let old = Library.old()
  private let new = Library.new()
  /// The options of a container's description, and the version that the program still has.
  private let options: [AnyHashable: Any]

  init() throws {
    fixture = try MigrationFixture()
    options = [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true,
      OpenModelVersionsOption: [old],
    ]
  }

  private func code(_ work: () throws -> Void) -> (Int?, CocoaError?) {
    let error = #expect(throws: CocoaError.self) { try work() }
    return (error?.code.rawValue, error)
  }

  private static let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]

  @Test("a store of an older version is migrated when it is added", arguments: types)
  func migrates(type: String) throws {
    let identifier = try fixture.with("store", old, type: type) { context in
      Library.fill(context)
      let store = try #require(context.persistentStoreCoordinator?.persistentStores.first)
      store.metadata["note"] = "mine"
      return store.identifier
    }
    for _ in 0..<2 {
      try fixture.with("store", new, type: type, options: options) { context in
        #expect(try Library.contents(context) == Library.expected)
        let store = try #require(context.persistentStoreCoordinator?.persistentStores.first)
        #expect(store.identifier == identifier)
        #expect(store.metadata["note"] as? String == "mine")
      }
    }
    #expect(try fixture.files.filter { $0.contains("migrating") } == [])
  }

  @Test(
    "a container migrates by default, and without the old version, it uses the model in the store"
  )
  func container() throws {
    let grown = Library.old()
    grown.entitiesByName["Book"]?.attribute("price", .double, isOptional: false, default: 2.5)
    try fixture.with("store", old) { Library.fill($0) }
    let container = NSPersistentContainer(name: "Library", managedObjectModel: grown)
    container.persistentStoreDescriptions = [
      NSPersistentStoreDescription(url: fixture.url("store"))
    ]
    var failures: [any Error] = []
    container.loadPersistentStores { _, error in if let error { failures.append(error) } }
    #expect(failures.isEmpty, "\(failures)")
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let prices = try context.all("Book", by: "title").map { $0.value(forKey: "price") as? Double }
      #expect(prices == Array(repeating: 2.5, count: 6))
    }
  }

  @Test("without the option, a store of another version is error 134100, and is not changed")
  func optionOff() throws {
    try fixture.with("store", old) { Library.fill($0) }
    let before = try Data(contentsOf: fixture.url("store"))
    let (number, error) = code { try fixture.with("store", new) { _ in } }
    #expect(number == 134_100)
    #expect(error?.userInfo["metadata"] is [String: Any])
    #expect(try Data(contentsOf: fixture.url("store")) == before)
  }

  @Test("a store that is opened for reading only is not migrated")
  func readOnly() throws {
    try fixture.with("store", old) { Library.fill($0) }
    var options = options
    options[NSReadOnlyPersistentStoreOption] = true
    let (number, error) = code { try fixture.with("store", new, options: options) { _ in } }
    #expect(number == 134_100)
    #expect(error?.localizedDescription.contains("for reading only") == true)
  }

  @Test("without inference and mapping model, it is error 134140 with both models")
  func noMapping() throws {
    try fixture.with("store", old) { Library.fill($0) }
    var options = options
    options[NSInferMappingModelAutomaticallyOption] = false
    let (number, error) = code { try fixture.with("store", new, options: options) { _ in } }
    #expect(number == 134_140)
    #expect(error?.userInfo["sourceModel"] is NSManagedObjectModel)
    #expect(error?.userInfo["destinationModel"] is NSManagedObjectModel)
  }

  @Test(
    "a mapping that cannot be inferred is error 134140 with Apple's reason, and the store stays readable",
    arguments: types)
  func notInferred(type: String) throws {
    try fixture.with("store", old, type: type) { Library.fill($0) }
    let other = Library.old()
    other.entitiesByName["Tag"]?.attributesByName["word"]?.type = .integer64
    let (number, error) = code {
      try fixture.with("store", other, type: type, options: options) { _ in }
    }
    #expect(number == 134_140)
    #expect(
      error?.userInfo["reason"] as? String
        == "Can't find or automatically infer mapping model for migration")
    #expect(error?.userInfo["sourceModel"] is NSManagedObjectModel)
    #expect(error?.userInfo["destinationModel"] is NSManagedObjectModel)
    #expect(error?.localizedDescription.contains("Tag.word") == true)
    let cause = error?.userInfo[NSUnderlyingErrorKey] as? CocoaError
    #expect(cause?.code.rawValue == 134_190)
    #expect(cause?.userInfo["entity"] as? String == "Tag")
    #expect(cause?.userInfo["property"] as? String == "word")
    #expect(
      cause?.userInfo["reason"] as? String
        == "Source and destination attribute types are incompatible")
    #expect(cause?.userInfo[NSUnderlyingErrorKey] is InferenceError)
    #expect(try fixture.with("store", old, type: type) { try $0.texts("Tag", "word").count } == 3)
  }

  @Test(
    "required properties without values are error 134110 with Apple's reason; inferring throws 134190 (D-438)",
    arguments: zip(["isbn", "author"], ["attribute", "relationship"]))
  func missingValues(property: String, kind: String) throws {
    try fixture.with("store", old) { Library.fill($0) }
    let other = Library.old()
    let book = try #require(other.entitiesByName["Book"])
    if kind == "attribute" {
      book.attribute(property, isOptional: false)
    } else {
      book.relationshipsByName[property]?.isOptional = false
    }
    let (number, error) = code { try fixture.with("store", other, options: options) { _ in } }
    #expect(number == 134_110)
    #expect(
      error?.userInfo["reason"] as? String
        == "Cannot migrate store in-place: Validation error missing attribute values on mandatory destination \(kind)"
    )
    #expect(error?.localizedDescription.contains("Book.\(property)") == true)
    let cause = error?.userInfo[NSUnderlyingErrorKey] as? CocoaError
    #expect(cause?.code.rawValue == 134_190)
    let (inferring, _) = code {
      _ = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: other)
    }
    #expect(inferring == 134_190)
    #expect(try fixture.with("store", old) { try $0.texts("Tag", "word").count } == 3)
  }

  @Test(
    "properties without values can become required if no object lacks a value", arguments: types)
  func noMissingValues(type: String) throws {
    try fixture.with("store", old, type: type) { context in
      context.insert("Author", ["name": "Anna", "notes": "n"])
    }
    let other = Library.old()
    other.entitiesByName["Author"]?.attributesByName["notes"]?.isOptional = false
    let book = try #require(other.entitiesByName["Book"])
    book.attribute("isbn", isOptional: false)
    book.relationshipsByName["author"]?.isOptional = false
    try fixture.with("store", other, type: type, options: options) { (context) throws in
      #expect(try context.texts("Author", "notes") == ["n"])
      #expect(try context.texts("Book", "isbn") == [])
    }
  }

  @Test(
    "an object id that outlives its coordinator does not keep the store open", arguments: types)
  func heldID(type: String) throws {
    func savedID() throws -> NSManagedObjectID {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: old)
      try coordinator.addPersistentStore(
        ofType: type, configurationName: nil, at: fixture.url("store"))
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      return try context.performAndWait {
        let tag = context.insert("Tag", ["word": "kept"])
        try context.save()
        return tag.objectID
      }
    }
    let id = try savedID()
    var options = options
    options[NSPersistentStoreTimeoutOption] = 0
    let words = try fixture.with("store", new, type: type, options: options) { context in
      try context.texts("Tag", "word")
    }
    #expect(words == ["kept"])
    #expect(id.persistentStore?.persistentStoreCoordinator == nil)
  }

  @Test(
    "an unknown version that would lose data is treated as newer, and is not changed"
  )
  func newer() throws {
    let newer = Library.old()
    newer.entitiesByName["Book"]?.attribute("isbn")
    newer.entitiesByName["Tag"]?.attribute("color")
    try fixture.with("store", newer) { Library.fill($0) }
    let before = try Data(contentsOf: fixture.url("store"))
    var options = options
    options[OpenModelVersionsOption] = nil
    let (number, error) = code { try fixture.with("store", old, options: options) { _ in } }
    #expect(number == 134_130)
    #expect(error?.localizedDescription.contains("newer") == true)
    #expect(error?.localizedDescription.contains("Book.isbn, Tag.color") == true)
    #expect(try Data(contentsOf: fixture.url("store")) == before)
    // A program with the version reports that it is an older version.
    options[OpenModelVersionsOption] = [newer]
    #expect(
      try fixture.with("store", old, options: options) { try $0.texts("Tag", "word").count } == 3)
  }

  @Test("an unknown version whose values the program's model derives is not changed")
  func newerThanDerivation() throws {
    let newer = Library.old()
    newer.entitiesByName["Book"]?.attribute("heading")
    try fixture.with("store", newer) { context in
      context.insert("Book", ["title": "Emma", "heading": "A novel"])
    }
    let deriving = Library.old()
    let heading = NSDerivedAttributeDescription()
    heading.name = "heading"
    heading.type = .string
    heading.derivationExpression = NSExpression(forKeyPath: "title")
    deriving.entitiesByName["Book"]?.properties.append(heading)
    var options = options
    options[OpenModelVersionsOption] = nil
    let (number, error) = code { try fixture.with("store", deriving, options: options) { _ in } }
    #expect(number == 134_130)
    #expect(error?.localizedDescription.contains("Book.heading would be lost") == true)
    #expect(try fixture.with("store", newer) { try $0.texts("Book", "heading") } == ["A novel"])
  }

  @Test(
    "objects that violate a new uniqueness constraint are error 134111; the store stays readable",
    arguments: types)
  func duplicates(type: String) throws {
    try fixture.with("store", old, type: type) { context in
      for _ in 0..<2 { context.insert("Tag", ["word": "twice"]) }
    }
    let strict = Library.old()
    strict.entitiesByName["Tag"]?.uniquenessConstraints = [["word"]]
    let (number, _) = code {
      try fixture.with("store", strict, type: type, options: options) { _ in }
    }
    #expect(number == 134_111)
    #expect(
      try fixture.with("store", old, type: type) { try $0.texts("Tag", "word") } == [
        "twice", "twice",
      ])
    #expect(try fixture.files.filter { $0.contains("migrating") } == [])
  }

  @Test("with deferred migration, no work remains either")
  func deferred() throws {
    try fixture.with("store", old) { Library.fill($0) }
    var options = options
    options[NSPersistentStoreDeferredLightweightMigrationOptionKey] = true
    try fixture.with("store", new, options: options) { context in
      #expect(try Library.contents(context) == Library.expected)
      let coordinator = try #require(context.persistentStoreCoordinator)
      try coordinator.finishDeferredLightweightMigrationTask()
      try coordinator.finishDeferredLightweightMigration()
      let metadata = coordinator.persistentStores.first?.metadata
      #expect(metadata?[NSPersistentStoreDeferredLightweightMigrationOptionKey] == nil)
    }
  }

  @Test("a version is found among the versions in its folder, regardless of its name")
  func versionsOfFolder() throws {
    let middle = Library.old()
    middle.entitiesByName["Tag"]?.attribute("color")
    let folder = fixture.url("Library.momd")
    try NSManagedObjectModel.write(
      ["one": old, "two": middle, "three": new], current: "three", to: folder)
    for (name, version) in [("a", old), ("b", middle)] {
      try fixture.with(name, version) { Library.fill($0) }
      var options = options
      options[OpenModelVersionsOption] = nil
      let model = try #require(NSManagedObjectModel(contentsOf: folder))
      #expect(
        try fixture.with(name, model, options: options) { try Library.contents($0) }
          == Library.expected)
    }
  }

  @Test("a copy of a model finds the versions in the folder of the model")
  func versionsOfCopy() throws {
    let folder = fixture.url("Library.momd")
    try NSManagedObjectModel.write(["one": old, "two": new], current: "two", to: folder)
    // An XML store does not contain its model.
    try fixture.with("store", old, type: NSXMLStoreType) { Library.fill($0) }
    var options = options
    options[OpenModelVersionsOption] = nil
    let model = try #require(NSManagedObjectModel(contentsOf: folder))
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    let contents = try fixture.with("store", copy, type: NSXMLStoreType, options: options) {
      try Library.contents($0)
    }
    #expect(contents == Library.expected)
  }
}
