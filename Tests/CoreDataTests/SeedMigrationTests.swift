import CoreData
import XCTest

/// What the printed manager leaves to the application: where its store is, and which versions of the model there are.
enum SeedMigrations {
  nonisolated(unsafe) static var storeURL: URL?
  nonisolated(unsafe) static var versions: [NSManagedObjectModel] = []
}

extension CoreDataMigrationManager {
  var storeURL: URL? { SeedMigrations.storeURL }

  func currentManagedObjectModel() -> NSManagedObjectModel {
    SeedMigrations.versions.last ?? NSManagedObjectModel()
  }

  /// The steps from the version of a store's metadata to the last one.
  func getMigrationSteps(for metadata: [String: Any]) -> [MigrationStep] {
    let versions = SeedMigrations.versions
    let start = versions.firstIndex {
      $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    }
    guard let start else { return [] }
    return zip(versions[start...], versions[start...].dropFirst())
      .map { MigrationStep(sourceModel: $0, destinationModel: $1) }
  }
}

/// The printed migration manager, its steps and its policy, and the printed list of lightweight changes.
class SeedMigrationTests: XCTestCase {
  private var folder = URL(fileURLWithPath: "/")
  private var url: URL { folder.appendingPathComponent("Awful.sqlite") }

  override func setUpWithError() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  override func tearDown() { try? FileManager.default.removeItem(at: folder) }

  // MARK: Models

  private func attribute(
    _ name: String, _ type: NSAttributeDescription.AttributeType = .string,
    isOptional: Bool = true, default value: Any? = nil, was renamed: String? = nil
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.type = type
    attribute.isOptional = isOptional
    attribute.defaultValue = value
    if let renamed { attribute.renamingIdentifier = renamed }
    return attribute
  }

  private func model(_ entities: [String: [NSAttributeDescription]]) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = entities.sorted { $0.key < $1.key }.map { name, attributes in
      let entity = NSEntityDescription()
      entity.name = name
      entity.properties = attributes
      return entity
    }
    return model
  }

  private func thread(_ others: NSAttributeDescription...) -> [NSAttributeDescription] {
    [attribute("id", .integer32), attribute("title")] + others
  }

  /// Three versions of threads: two attributes, a flag besides, the title under another name.
  private func makeVersions() -> [NSManagedObjectModel] {
    let flag = { self.attribute("hasUnreadPosts", .boolean, isOptional: false, default: true) }
    return [
      model(["Thread": thread()]), model(["Thread": thread(flag())]),
      model([
        "Thread": [
          attribute("id", .integer32), attribute("heading", was: "title"), flag(),
        ]
      ]),
    ]
  }

  private func fill(_ model: NSManagedObjectModel) throws {
    let container = try load(model)
    let context = container.viewContext
    for number in 1...3 {
      let thread = NSEntityDescription.insertNewObject(forEntityName: "Thread", into: context)
      thread.setValue(number, forKey: "id")
      thread.setValue("Thread \(number)", forKey: "title")
    }
    try context.save()
    try close(container)
  }

  private func load(
    _ model: NSManagedObjectModel, migrates: Bool = false,
    among versions: [NSManagedObjectModel] = []
  ) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Awful", managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: url)
    description.shouldMigrateStoreAutomatically = migrates
    description.shouldInferMappingModelAutomatically = migrates
    description.setOption(NSArray(array: versions), forKey: OpenModelVersionsOption)
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container
  }

  private func close(_ container: NSPersistentContainer) throws {
    for store in container.persistentStoreCoordinator.persistentStores {
      try container.persistentStoreCoordinator.remove(store)
    }
  }

  private func values(_ container: NSPersistentContainer, _ key: String) throws -> [String] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Thread")
    request.sortDescriptors = [NSSortDescriptor(key: "id", ascending: true)]
    return try container.viewContext.fetch(request).map { "\($0.value(forKey: key) ?? "nil")" }
  }

  // MARK: Awful's manager and policy

  func testManagerMigratesAStoreStepByStep() throws {
    let versions = makeVersions()
    try fill(versions[0])
    SeedMigrations.storeURL = url
    SeedMigrations.versions = versions
    XCTAssertTrue(CoreDataMigrationManager.shared.migrateStoreIfNeeded())
    // Nothing is left to do.
    XCTAssertTrue(CoreDataMigrationManager.shared.migrateStoreIfNeeded())
    let container = try load(versions[2])
    XCTAssertEqual(try values(container, "heading"), ["Thread 1", "Thread 2", "Thread 3"])
    XCTAssertEqual(try values(container, "hasUnreadPosts"), ["1", "1", "1"])
    try close(container)
  }

  func testManagerReportsAMissingStore() {
    SeedMigrations.storeURL = folder.appendingPathComponent("none.sqlite")
    SeedMigrations.versions = makeVersions()
    XCTAssertFalse(CoreDataMigrationManager.shared.migrateStoreIfNeeded())
  }

  func testPolicyMakesThreads() throws {
    let versions = makeVersions()
    try fill(versions[0])
    let mapping = NSEntityMapping()
    mapping.name = "ThreadToThread"
    mapping.mappingType = .customEntityMappingType
    mapping.sourceEntityName = "Thread"
    mapping.destinationEntityName = "Thread"
    mapping.entityMigrationPolicyClassName = "ThreadMigrationPolicy"
    let model = NSMappingModel()
    model.entityMappings = [mapping]
    let manager = NSMigrationManager(sourceModel: versions[0], destinationModel: versions[1])
    let destination = folder.appendingPathComponent("new.sqlite")
    try manager.migrateStore(
      from: url, sourceType: NSSQLiteStoreType, options: nil, with: model,
      toDestinationURL: destination, destinationType: NSSQLiteStoreType, destinationOptions: nil)
    try FileManager.default.removeItem(at: url)
    try FileManager.default.moveItem(at: destination, to: url)
    let container = try load(versions[1])
    XCTAssertEqual(try values(container, "title"), ["Thread 1", "Thread 2", "Thread 3"])
    XCTAssertEqual(try values(container, "hasUnreadPosts"), ["0", "0", "0"])
    try close(container)
  }

  // MARK: Kanora's supported changes

  private func migrated(
    to entities: [String: [NSAttributeDescription]]
  ) throws -> NSPersistentContainer {
    let old = model(["Thread": thread()])
    try fill(old)
    return try load(model(entities), migrates: true, among: [old])
  }

  func testAddingEntities() throws {
    let container = try migrated(to: ["Thread": thread(), "Forum": [attribute("name")]])
    XCTAssertEqual(try values(container, "title"), ["Thread 1", "Thread 2", "Thread 3"])
    let forum = NSEntityDescription.insertNewObject(
      forEntityName: "Forum", into: container.viewContext)
    forum.setValue("General", forKey: "name")
    try container.viewContext.save()
    try close(container)
  }

  func testAddingAttributes() throws {
    let container = try migrated(to: ["Thread": thread(attribute("author"))])
    XCTAssertEqual(try values(container, "author"), ["nil", "nil", "nil"])
    try close(container)
  }

  func testRemovingAttributes() throws {
    let container = try migrated(to: ["Thread": [attribute("id", .integer32)]])
    XCTAssertEqual(try values(container, "id"), ["1", "2", "3"])
    try close(container)
  }

  func testRenamingWithMapping() throws {
    let container = try migrated(
      to: ["Thread": [attribute("id", .integer32), attribute("subject", was: "title")]])
    XCTAssertEqual(try values(container, "subject"), ["Thread 1", "Thread 2", "Thread 3"])
    try close(container)
  }

  func testChangingOptionalAndRequired() throws {
    let container = try migrated(
      to: [
        "Thread": [
          attribute("id", .integer32, isOptional: false, default: 0),
          attribute("title", isOptional: false, default: "untitled"),
        ]
      ])
    XCTAssertEqual(try values(container, "title"), ["Thread 1", "Thread 2", "Thread 3"])
    try close(container)
  }
}
