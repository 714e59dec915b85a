import Foundation
import OpenCoreData
import OpenMigration
import OpenObjectGraph
import OpenObjectModel
import OpenPostgresStore
import OpenStoreContract
import PostgresTestServer
import Testing

import class OpenPredicates.NSExpression

@Suite("A PostgreSQL store is migrated by a mapping model", .enabled(if: TestServer.isPresent))
struct PostgresMappingTests {
  private static func versions() -> (old: NSManagedObjectModel, new: NSManagedObjectModel) {
    let new = Library.old()
    new.entitiesByName["Book"]?.attribute("isbn", isOptional: false)
    return (Library.old(), new)
  }

  /// The mapping that would be inferred if the number of a book were optional, with a value for it.
  private static func mapping(
    from old: NSManagedObjectModel, to new: NSManagedObjectModel, policy: String? = nil
  ) throws -> NSMappingModel {
    let loose = Library.old()
    loose.entitiesByName["Book"]?.attribute("isbn")
    let model = try NSMappingModel.inferredMappingModel(
      forSourceModel: old, destinationModel: loose)
    for mapping in model.entityMappings {
      let entity = mapping.destinationEntityName.flatMap { new.entitiesByName[$0] }
      mapping.destinationEntityVersionHash = entity?.versionHash
      guard entity?.attributesByName["isbn"] != nil else { continue }
      let number = NSPropertyMapping()
      number.name = "isbn"
      number.valueExpression = NSExpression(forConstantValue: "unknown")
      mapping.attributeMappings?.append(number)
      mapping.entityMigrationPolicyClassName = policy
    }
    return model
  }

  private func request(_ store: ServedStore, _ new: NSManagedObjectModel) throws
    -> StoreMigrationRequest
  {
    let files = try #require(try StoreTypes.opener(of: OpenPostgresStoreType).files)
    return try StoreMigrationRequest(
      type: OpenPostgresStoreType, url: store.url, configuration: store.configuration,
      options: [:], model: new.compiled(), files: files)
  }

  /// Migrates a store that the library fills, and expects the value of the mapping in all books.
  ///
  /// - Parameter prepare: Work with the filled store before the migration.
  private func expectMigration(of store: ServedStore, _ prepare: () throws -> Void = {}) throws {
    let (old, new) = Self.versions()
    try store.with(old) { Library.fill($0) }
    try prepare()
    let mapping = try Self.mapping(from: old, to: new)
    try ReplacingMigration(request(store, new), from: old, mapping).run()
    let numbers = try store.with(new) { try $0.texts("Book", "isbn") }
    #expect(numbers == Array(repeating: "unknown", count: 6))
  }

  @Test("objects are migrated to separate tables, which then replace the store's tables")
  func mapped() throws {
    let (old, new) = Self.versions()
    let store = try ServedStore()
    try store.with(old) { Library.fill($0) }
    let identifier = try store.identifier
    let open = try store.context(old)
    let mapping = try Self.mapping(from: old, to: new)
    try ReplacingMigration(request(store, new), from: old, mapping).run()
    #expect(try store.identifier == identifier)
    try store.with(new) { context in
      let numbers = try context.texts("Book", "isbn")
      #expect(numbers == Array(repeating: "unknown", count: 6))
      let authors = try context.all("Author", by: "name")
      #expect(authors.map { $0.texts("books", "title") } == [["B3", "B0", "B5"], ["B4", "B1"]])
    }
    open.performAndWait {
      let books = NSFetchRequest<NSManagedObject>(entityName: "Book")
      let late = open.insert("Tag", ["word": "late"])
      for work in [{ try open.save() }, { _ = try open.fetch(books) }] {
        let error = #expect(throws: (any Error).self) { try work() }
        let cause = (error as NSError?)?.userInfo[OpenStoreErrorKey] as? StoreError
        #expect(cause?.code == .incompatibleSchema)
      }
      #expect(late.isInserted)
    }
  }

  @Test(
    "a process that waited for another process's migration does not migrate the store again",
    arguments: [false, true])
  func migratedMeanwhile(ignoresVersions: Bool) throws {
    let (old, new) = Self.versions()
    let store = try ServedStore()
    try store.with(old) { Library.fill($0) }
    var request = try request(store, new)
    // As in migrations of stores that have only the entities of a configuration.
    request.configuration.ignoresModelVersion = ignoresVersions
    let mapping = try Self.mapping(from: old, to: new)
    try ReplacingMigration(request, from: old, mapping).run()
    try store.with(new) { context in
      for book in try context.all("Book", by: "title") { book.setValue("978", forKey: "isbn") }
    }
    try ReplacingMigration(request, from: old, mapping).run()
    let numbers = try store.with(new) { try $0.texts("Book", "isbn") }
    #expect(numbers == Array(repeating: "978", count: 6))
  }

  @Test("a process that lacks a policy of the mapping opens the store that another one migrated")
  func migratedByCompleteProgram() throws {
    let (old, new) = Self.versions()
    let store = try ServedStore()
    try store.with(old) { Library.fill($0) }
    let request = try request(store, new)
    let incomplete = try Self.mapping(from: old, to: new, policy: "MissingPolicy")
    let error = #expect(throws: CocoaError.self) {
      try ReplacingMigration(request, from: old, incomplete).run()
    }
    #expect(error?.code.rawValue == NSEntityMigrationPolicyError)
    let complete = try Self.mapping(from: old, to: new)
    try ReplacingMigration(request, from: old, complete).run()
    try ReplacingMigration(request, from: old, incomplete).run()
    let numbers = try store.with(new) { try $0.texts("Book", "isbn") }
    #expect(numbers == Array(repeating: "unknown", count: 6))
  }

  @Test("tokens from before the migration expire, however many transactions follow")
  func expiredTokens() throws {
    let (old, new) = Self.versions()
    let store = try ServedStore()
    let tracked: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true as NSNumber]
    let former = try store.with(old, options: tracked) { context in
      Library.fill(context)
      try context.save()
      let coordinator = try #require(context.persistentStoreCoordinator)
      return try #require(coordinator.currentPersistentHistoryToken(fromStores: nil))
    }
    let mapping = try Self.mapping(from: old, to: new)
    try ReplacingMigration(request(store, new), from: old, mapping).run()
    try store.with(new, options: tracked) { context in
      for round in 0..<3 {
        let error = #expect(throws: CocoaError.self) {
          try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: former))
        }
        #expect(error?.code.rawValue == NSPersistentHistoryTokenExpiredError)
        context.insert("Tag", ["word": "after \(round)"])
        try context.save()
      }
    }
  }

  @Test("tables of other programs in the schema of the store remain")
  func foreignTables() throws {
    let server = try TestServer.shared.get()
    let schema = "mapped_beside_others"
    try expectMigration(of: ServedStore(at: server.url(schema: schema))) {
      try server.execute("CREATE TABLE \(schema).zip_codes (code text)")
    }
    try server.execute("SELECT code FROM \(schema).zip_codes")
  }

  @Test("a store is migrated although its schema's name has 62 bytes")
  func longName() throws {
    let name = String(repeating: "я", count: 31)
    let schema = try #require(name.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed))
    try expectMigration(of: ServedStore(at: TestServer.shared.get().url(schema: schema)))
  }

  @Test("a mapping that fails leaves the old store and no other tables")
  func failed() throws {
    let (old, new) = Self.versions()
    let store = try ServedStore()
    try store.with(old) { Library.fill($0) }
    let mapping = try Self.mapping(from: old, to: new, policy: "FailingPolicy")
    #expect(throws: (any Error).self) {
      try ReplacingMigration(request(store, new), from: old, mapping).run()
    }
    let titles = try store.with(old) { try $0.texts("Book", "title") }
    #expect(titles == (0..<6).map { "B\($0)" })
    let files = try #require(try StoreTypes.opener(of: OpenPostgresStoreType).files)
    let place = try #require(files.newPlace?(store.url))
    let error = #expect(throws: StoreError.self) {
      _ = try files.metadata(StoreConfiguration(url: place))
    }
    #expect(error?.code == .missingFile)
  }

  @Test("a migration manager recognizes stores on a server by their URLs")
  func managed() throws {
    let (old, new) = (Library.old(), Library.old())
    new.entitiesByName["Book"]?.attribute("isbn")
    let (source, destination) = (try ServedStore(), try ServedStore())
    try source.with(old) { Library.fill($0) }
    let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: old, destinationModel: new)
    try manager.migrateStore(
      from: source.url, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
      toDestinationURL: destination.url, destinationType: NSSQLiteStoreType,
      destinationOptions: nil)
    let titles = try destination.with(new) { try $0.texts("Book", "title") }
    #expect(titles == (0..<6).map { "B\($0)" })
  }
}
