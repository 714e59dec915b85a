import Foundation
import OpenCoreData
import OpenMigration
import OpenObjectGraph
import OpenObjectModel
import OpenPersistenceKit
import OpenPredicates
import OpenSQLiteStore
import OpenStoreContract
import Testing
import class OpenPredicates.NSExpression

/// Books with a composite attribute, which contains another composite attribute.
enum PlacedBooks {
  static func element(
    _ name: String, _ type: NSAttributeDescription.AttributeType = .string,
    isOptional: Bool = true, renaming identifier: String? = nil, default value: Any? = nil
  ) -> NSAttributeDescription {
    let element = NSAttributeDescription()
    element.name = name
    element.type = type
    element.isOptional = isOptional
    element.defaultValue = value
    if let identifier { element.renamingIdentifier = identifier }
    return element
  }

  static func composite(
    _ name: String, isOptional: Bool = true, renaming identifier: String? = nil,
    _ elements: [NSAttributeDescription]
  ) -> NSCompositeAttributeDescription {
    let composite = NSCompositeAttributeDescription()
    composite.name = name
    composite.isOptional = isOptional
    composite.elements = elements
    if let identifier { composite.renamingIdentifier = identifier }
    return composite
  }

  static func model(
    _ place: NSCompositeAttributeDescription, _ change: (NSEntityDescription) -> Void = { _ in }
  ) -> NSManagedObjectModel {
    Models.make { models in
      let book = models.entity("Book").attribute("title")
      book.properties.append(place)
      change(book)
    }
  }

  /// A version in which every value is optional.
  static var loose: NSManagedObjectModel {
    model(
      composite(
        "place",
        [
          element("city"), element("rating", .integer16),
          composite("site", [element("code", .integer32)]),
        ]))
  }

  /// A version with other names, and with required parts.
  static var strict: NSManagedObjectModel {
    model(
      composite(
        "spot", isOptional: false, renaming: "place",
        [
          element("town", renaming: "city", default: "T"),
          element("rating", .integer16, isOptional: false, default: 3),
          composite("site", isOptional: false, [element("code", .integer32, default: 5)]),
          element("floor", .integer32, isOptional: false, default: 1), element("note"),
        ]))
  }

  static func fill(_ context: NSManagedObjectContext) {
    context.insert("Book", ["title": "A"])
    context.insert("Book", ["title": "B", "place": ["city": "X"]])
    context.insert("Book", ["title": "C", "place": ["site": ["code": 9]]])
  }

  /// The values of the second version that ``fill(_:)`` leads to.
  static let migrated = ["A T 3 5 1 nil", "B X 3 5 1 nil", "C nil 3 9 1 nil"]

  static func values(_ context: NSManagedObjectContext) throws -> [String] {
    try context.all("Book", by: "title").map { book in
      let spot = book.value(forKey: "spot") as? [String: Any] ?? [:]
      let site = spot["site"] as? [String: Any] ?? [:]
      let values = [
        book.value(forKey: "title"), spot["town"], spot["rating"], site["code"], spot["floor"],
        spot["note"],
      ]
      return values.map { "\($0 ?? "nil")" }.joined(separator: " ")
    }
  }
}

/// Books with two composite attributes that have the same elements, one of which is renamed.
enum RenamedComposite {
  static var models: (old: NSManagedObjectModel, new: NSManagedObjectModel) {
    (version("home"), version("address", renaming: "home"))
  }

  static var options: [AnyHashable: Any] {
    [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true, OpenModelVersionsOption: [models.new],
    ]
  }

  private static func version(
    _ name: String, renaming identifier: String? = nil
  ) -> NSManagedObjectModel {
    PlacedBooks.model(PlacedBooks.composite("billing", [PlacedBooks.element("city")])) { book in
      book.properties.append(
        PlacedBooks.composite(name, renaming: identifier, [PlacedBooks.element("city")]))
    }
  }

  static func fill(_ context: NSManagedObjectContext) {
    context.insert("Book", ["title": "A", "billing": ["city": "B"], "home": ["city": "H"]])
  }

  /// Returns the cities of the renamed attribute and of the other attribute.
  static func cities(_ context: NSManagedObjectContext) throws -> [String?] {
    let book = try #require(try context.all("Book", by: "title").first)
    return ["address", "billing"].map { name in
      (book.value(forKey: name) as? [String: Any])?["city"] as? String
    }
  }
}

@Suite("Composite attributes that change")
struct CompositeMigrationTests {
  enum Path: CaseIterable { case inPlace, copy, objects }

  private func filled(
    _ model: NSManagedObjectModel, _ fill: (NSManagedObjectContext) -> Void
  ) throws -> MigratedStore {
    let store = try MigratedStore()
    try store.withContext(model) { context in
      fill(context)
      try context.save()
    }
    return store
  }

  /// Migrates a store, and returns the migrated file.
  private func migrate(
    _ store: MigratedStore, _ old: NSManagedObjectModel, _ new: NSManagedObjectModel, _ path: Path
  ) throws -> URL {
    switch path {
    case .inPlace: try store.migrate(old, new, by: .inPlace)
    case .copy: try store.migrate(old, new, by: .copy)
    case .objects:
      let file = store.folder.appendingPathComponent("objects.sqlite")
      try RandomMigrationTests.migrateByObjects(store.file, to: file, old, new)
      return file
    }
    return store.file
  }

  @Test(
    "a part that becomes required has its default where it has no value; other rows keep theirs",
    arguments: Path.allCases)
  func required(_ path: Path) throws {
    let (old, new) = (PlacedBooks.loose, PlacedBooks.strict)
    let store = try filled(old, PlacedBooks.fill)
    #expect(try store.plan(old, new).way == .inPlace)
    let file = try migrate(store, old, new, path)
    #expect(
      try store.withContext(new, at: file) { try PlacedBooks.values($0) } == PlacedBooks.migrated)
    if path == .objects { return }
    #expect(try store.damage(new) == [])
    #expect(try store.schema() == store.newSchema(new))
  }

  @Test(
    "a value that only a removed element has is a value, for which SQLite copies the rows",
    arguments: Path.allCases)
  func removedElement(_ path: Path) throws {
    let old = PlacedBooks.model(
      PlacedBooks.composite("spot", [PlacedBooks.element("town"), PlacedBooks.element("last")]))
    let new = PlacedBooks.model(
      PlacedBooks.composite(
        "spot", isOptional: false, [PlacedBooks.element("town", default: "T")]))
    let store = try filled(old) { context in
      context.insert("Book", ["title": "A"])
      context.insert("Book", ["title": "B", "spot": ["last": "x"]])
    }
    let plan = try store.plan(old, new)
    #expect(plan.way == .copy && plan.reasons.count == 1)
    #expect(
      plan.losses == [.init(entityName: "Book", propertyName: "spot.last", rowCount: 1)])
    #expect(ModelLosses(from: old, to: new).names == ["Book.spot.last"])
    let file = try migrate(store, old, new, path)
    let towns = try store.withContext(new, at: file) { context in
      try context.all("Book", by: "title").map { book in
        (book.value(forKey: "spot") as? [String: Any])?["town"] as? String
      }
    }
    #expect(towns == ["T", nil])
  }

  @Test(
    "an optional part without a value stays nil, unless the part that contains it has its default",
    arguments: Path.allCases, [true, false])
  func optionalPart(_ path: Path, _ isOptional: Bool) throws {
    func version(
      isOptional: Bool, isNew: Bool, _ added: [NSAttributeDescription]
    ) -> NSManagedObjectModel {
      let city = PlacedBooks.element("city", isOptional: !isNew, default: isNew ? "T" : nil)
      let code = PlacedBooks.element(
        "code", .integer32, isOptional: !isNew, default: isNew ? 5 : nil)
      let area = PlacedBooks.element("area")
      let site = PlacedBooks.composite("site", [code, area] + added)
      return PlacedBooks.model(
        PlacedBooks.composite("place", isOptional: isOptional, [city, site]))
    }
    let floor = PlacedBooks.element("floor", .integer32, isOptional: false, default: 1)
    let old = version(isOptional: true, isNew: false, [])
    let new = version(isOptional: isOptional, isNew: true, [floor])
    let store = try filled(old) { context in
      context.insert("Book", ["title": "A"])
      context.insert("Book", ["title": "B", "place": ["city": "X"]])
      context.insert("Book", ["title": "C", "place": ["site": ["area": "N"]]])
    }
    let file = try migrate(store, old, new, path)
    let values = try store.withContext(new, at: file) { context in
      let books = try context.all("Book", by: "title")
      for book in books { book.setValue("\(book.value(forKey: "title") ?? "")!", forKey: "title") }
      try context.save()
      return books.map { book in
        let place = book.value(forKey: "place") as? [String: Any]
        let site = place?["site"] as? [String: Any]
        let values = [place?["city"], site?["code"], site?["floor"], site?["area"]]
        return values.map { "\($0 ?? "nil")" }.joined(separator: " ")
      }
    }
    let first = isOptional ? "nil nil nil nil" : "T 5 1 nil"
    #expect(values == [first, "X nil nil nil", "T 5 1 N"])
    if path != .objects { #expect(try store.damage(new) == []) }
  }

  @Test(
    "a value derived from an element is computed again if a part that contains it becomes required",
    arguments: [Path.inPlace, .copy])
  func derivedFromElement(_ path: Path) throws {
    func version(isOptional: Bool) -> NSManagedObjectModel {
      let city = PlacedBooks.element("city", default: isOptional ? nil : "T")
      let place = PlacedBooks.composite("place", isOptional: isOptional, [city])
      return PlacedBooks.model(place) { book in
        let derived = NSDerivedAttributeDescription()
        derived.name = "town"
        derived.type = .string
        derived.derivationExpression = NSExpression(forKeyPath: "place.city")
        book.properties.append(derived)
      }
    }
    let (old, new) = (version(isOptional: true), version(isOptional: false))
    let store = try filled(old) { context in
      context.insert("Book", ["title": "A"])
      context.insert("Book", ["title": "B", "place": ["city": "X"]])
    }
    let file = try migrate(store, old, new, path)
    let towns = try store.withContext(new, at: file) { try $0.texts("Book", "town") }
    #expect(towns == ["T", "X"])
  }

  @Test("composite attributes with the same elements keep their values if one is renamed (D-461)")
  func renamedAlike() throws {
    let (old, new) = RenamedComposite.models
    #expect(old.entityVersionHashesByName == new.entityVersionHashesByName)
    let store = try filled(old) { RenamedComposite.fill($0) }
    let refused = #expect(throws: CocoaError.self) { try store.withContext(new) { _ in } }
    #expect(refused?.code.rawValue == 134_100)
    let cities = try store.withContext(new, options: RenamedComposite.options) {
      try RenamedComposite.cities($0)
    }
    #expect(cities == ["H", "B"])
    #expect(try store.damage(new) == [])
  }

  @Test("StoreMigration finds the version with the store's names of composite attributes (D-461)")
  func versionOfNames() throws {
    let (old, new) = RenamedComposite.models
    let last = RenamedComposite.models.new
    last.entitiesByName["Book"]?.attribute("note")
    let store = try filled(old) { RenamedComposite.fill($0) }
    let versions = [
      StoreMigration.Version("1", old), StoreMigration.Version("2", new),
      StoreMigration.Version("3", last),
    ]
    let migration = StoreMigration(storeAt: store.file, versions: versions)
    #expect(try migration.currentVersion == "1")
    try migration.run()
    #expect(try migration.currentVersion == "3")
    #expect(try store.withContext(last) { try RenamedComposite.cities($0) } == ["H", "B"])
  }

  @Test("a custom stage keeps the values of a composite attribute that was renamed before (D-461)")
  func stageAfterRenaming() throws {
    let (old, new) = RenamedComposite.models
    let last = RenamedComposite.models.new
    last.entitiesByName["Book"]?.attribute("note")
    let store = try filled(old) { RenamedComposite.fill($0) }
    let stage = NSCustomMigrationStage(
      migratingFrom: NSManagedObjectModelReference(
        model: new, versionChecksum: new.versionChecksum),
      to: NSManagedObjectModelReference(model: last, versionChecksum: last.versionChecksum))
    let options: [AnyHashable: Any] = [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true,
      NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager([stage]),
      OpenModelVersionsOption: [new, last],
    ]
    let cities = try store.withContext(last, options: options) {
      try RenamedComposite.cities($0)
    }
    #expect(cities == ["H", "B"])
  }

  @Test("a migration throws if another process locks the model in the store")
  func lockedModel() throws {
    let (old, new) = RenamedComposite.models
    let store = try filled(old) { RenamedComposite.fill($0) }
    var opener = try StoreTypes.opener(of: NSSQLiteStoreType)
    var files = try #require(opener.files)
    files.model = { (_) throws(StoreError) in throw StoreError(.locked, "The store is locked.") }
    opener.files = files
    let type = "LockedModel-\(UUID().uuidString)"
    StoreTypes.register(type, opener)
    let versions = [StoreMigration.Version("1", old), StoreMigration.Version("2", new)]
    let migration = StoreMigration(storeAt: store.file, type: type, versions: versions)
    let reading = #expect(throws: CocoaError.self) { _ = try migration.currentVersion }
    #expect(reading?.code == .persistentStoreTimeout)
    let options = RenamedComposite.options
    let request = try StoreMigrationRequest(
      type: type, url: store.file,
      configuration: StoreConfiguration(url: store.file, options: options), options: options,
      model: new.compiled(), files: files)
    let migrating = #expect(throws: CocoaError.self) { try VersionStep(request).run() }
    #expect(migrating?.code == .persistentStoreTimeout)
  }

  @Test("another type of an element prevents the inference, also in a nested attribute")
  func nestedType() throws {
    let old = PlacedBooks.loose
    let new = PlacedBooks.model(
      PlacedBooks.composite("place", [PlacedBooks.composite("site", [PlacedBooks.element("code")])])
    )
    let error = #expect(throws: InferenceError.self) {
      try ModelTransition.inferred(from: old.compiled(), to: new.compiled())
    }
    #expect(error?.problems.map(\.code) == [.compositeElements])
    #expect(error?.problems.map(\.propertyName) == ["place.site.code"])
  }

  @Test(
    "a version that makes a composite attribute required is skipped only if the default stays")
  func skipping() throws {
    func version(
      isOptional: Bool, _ value: String?, _ added: String? = nil
    ) -> NSManagedObjectModel {
      let town = PlacedBooks.element("town", default: value)
      return PlacedBooks.model(
        PlacedBooks.composite("spot", isOptional: isOptional, [town])
      ) { book in
        if let added { book.attribute(added) }
      }
    }
    let first = version(isOptional: true, nil)
    let middle = version(isOptional: false, "X")
    let same = version(isOptional: false, "X", "note")
    let other = version(isOptional: false, "Y")
    #expect(ModelTransition.canSkip([middle], from: first, to: same))
    #expect(!ModelTransition.canSkip([middle], from: first, to: other))
  }
}
