import Foundation
import OpenCoreData
import OpenMigration
import OpenObjectGraph
import OpenObjectModel
import OpenSQLiteStore
import OpenStoreContract
import OpenTestSupport
import Testing

/// Models and stores of real applications.
private enum Shared {
  static let folder = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["OPENCOREDATA_SHARED"] ?? "../shared"
  ).appendingPathComponent("data")

  static let isHere = FileManager.default.fileExists(
    atPath: folder.appendingPathComponent("stores/facts.json").path)

  static let awful = [
    "Awful", "Awful 3.2-beta6", "Awful 3.26-beta0", "Awful 3.33-beta0", "Awful 6.2", "Awful 6.3",
    "Awful 7.11",
  ]

  static func awful(_ version: String) throws -> NSManagedObjectModel {
    let url = folder.appendingPathComponent("models/Awful.xcdatamodeld/\(version).xcdatamodel")
    guard let model = NSManagedObjectModel(contentsOf: url) else {
      throw MigratedStore.Failure(description: "no model \(version)")
    }
    return model
  }

  static let stores = [
    "cartkit/CartStorage_v1.sqlite", "coredataplus/SampleModel2_V1.sqlite",
    "coredataplus/SampleModel3_V1.sqlite", "coredataplus/SampleModel_V1.sqlite",
    "coredataplus/SampleModel_V2.sqlite", "duckduckgo/Bookmarks_V1.sqlite",
    "duckduckgo/Bookmarks_V2.sqlite", "duckduckgo/Bookmarks_V4.sqlite", "plaso/Accounts3.sqlite",
    "plaso/DataUsage.sqlite", "plaso/IMODb2.sqlite", "plaso/RMAdminStore-Local.sqlite",
    "plaso/knowledgec-10.14.db", "swiftdata-metacocktails/default.store",
    "swiftdata-resourcesmanager/default.store",
  ]

  /// A copy of a store, and the model in it.
  static func copy(_ path: String) throws -> (MigratedStore, NSManagedObjectModel) {
    let store = try MigratedStore()
    let url = folder.appendingPathComponent("stores/" + path)
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: url.path + suffix) {
      try FileManager.default.copyItem(atPath: url.path + suffix, toPath: store.file.path + suffix)
    }
    guard let model = try ModelCache.model(inStoreAt: store.file) else {
      throw MigratedStore.Failure(description: "no model in \(path)")
    }
    return (store, model)
  }
}

@Suite(
  "Real models and stores migrate",
  .enabled(if: Shared.isHere, "the collection of real models and stores is not here"))
struct RealMigrationTests {
  /// Fills a store of any model with some rows of each entity, with values and links.
  private func fill(_ store: MigratedStore, _ model: NSManagedObjectModel) throws {
    try store.withContext(model) { context in
      var objects: [String: [NSManagedObject]] = [:]
      for entity in model.entities where !entity.isAbstract {
        guard let name = entity.name else { continue }
        objects[name] = (1...3).map { number in
          let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
          for (key, attribute) in entity.attributesByName
          where !attribute.isTransient && !(attribute is NSDerivedAttributeDescription) {
            let types = RandomModel.types
            guard types.contains(attribute.type) else { continue }
            object.setValue(RandomModel.value(attribute.type, number), forKey: key)
          }
          return object
        }
      }
      for entity in model.entities {
        for (index, object) in (objects[entity.name ?? ""] ?? []).enumerated() {
          for (key, relationship) in entity.relationshipsByName {
            guard let all = objects[relationship.destinationEntity?.name ?? ""] else { continue }
            if relationship.isOrdered {
              // Not in the order of keys.
              let members = object.mutableOrderedSetValue(forKey: key)
              for member in all[...index].reversed() where !members.contains(member) {
                members.add(member)
              }
            } else if relationship.isToMany {
              object.mutableSetValue(forKey: key).add(all[index])
            } else if object.value(forKey: key) == nil {
              object.setValue(all[index], forKey: key)
            }
          }
        }
      }
      try context.save()
    }
  }

  /// The objects of each entity in the order of their keys, and what their properties have: texts of attributes, names of destinations.
  ///
  /// An object's name is its entity and its place in that order: objects that are brought over one by one get other keys.
  private func image(
    _ store: MigratedStore, _ model: NSManagedObjectModel, at url: URL? = nil
  ) throws -> [String: [String: [String: String]]] {
    let options = [NSReadOnlyPersistentStoreOption: true as NSNumber]
    return try store.withContext(model, at: url, options: options) { context in
      let objects = try objects(in: context, model)
      let names = Dictionary(
        uniqueKeysWithValues: objects.flatMap { entity, list in
          list.enumerated().map { ($0.element.objectID, "\(entity)/\($0.offset)") }
        })
      var image: [String: [String: [String: String]]] = [:]
      for entity in model.entities {
        for (place, object) in (objects[entity.name ?? ""] ?? []).enumerated() {
          var values: [String: String] = [:]
          for (key, attribute) in entity.attributesByName
          where !attribute.isTransient && attribute.type != .transformable {
            values[key] = StoreImage.text(object.value(forKey: key))
          }
          for (key, relationship) in entity.relationshipsByName {
            let value = object.value(forKey: key)
            let members =
              (value as? NSOrderedSet)?.array as? [NSManagedObject]
              ?? (value as? Set<NSManagedObject>).map(Array.init)
              ?? (value as? NSManagedObject).map { [$0] } ?? []
            let found = members.map { names[$0.objectID] ?? "missing" }
            values[key] = (relationship.isOrdered ? found : found.sorted()).joined(separator: " ")
          }
          image[entity.name ?? "", default: [:]]["\(place)"] = values
        }
      }
      return image
    }
  }

  private func objects(
    in context: NSManagedObjectContext, _ model: NSManagedObjectModel
  ) throws -> [String: [NSManagedObject]] {
    func key(_ object: NSManagedObject) -> Int {
      Int(object.objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? 0
    }
    var objects: [String: [NSManagedObject]] = [:]
    for entity in model.entities where !entity.isAbstract {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
      request.includesSubentities = false
      objects[entity.name ?? ""] = try context.fetch(request).sorted { key($0) < key($1) }
    }
    return objects
  }

  /// Migrates object by object to another place.
  ///
  /// - Returns: The place; nil where the application's classes are missing that values of transformable attributes are of.
  private func migratedByObjects(
    _ store: MigratedStore, _ old: NSManagedObjectModel, _ new: NSManagedObjectModel
  ) throws -> URL? {
    let place = store.folder.appendingPathComponent("managed.sqlite")
    do {
      try RandomMigrationTests.migrateByObjects(store.file, to: place, old, new)
      return place
    } catch let error as CocoaError where error.localizedDescription.contains("cannot be read") {
      #expect(
        old.entities.contains { $0.attributesByName.values.contains { $0.type == .transformable } })
      return nil
    }
  }

  /// Migrates in place, by copy and object by object, and compares what a transition keeps.
  private func check(
    _ store: MigratedStore, _ old: NSManagedObjectModel, _ new: NSManagedObjectModel
  ) throws {
    let transition = try store.transition(old, new)
    let before = try image(store, old)
    let damage = try store.sqlite("PRAGMA integrity_check")
    let other = try MigratedStore()
    try store.copy(to: other)
    let managed = try migratedByObjects(store, old, new)
    let way = try store.plan(old, new).way
    try store.migrate(old, new)
    try other.migrate(old, new, by: .copy)
    #expect(damage == ["ok"])
    let after = try image(store, new)
    #expect(try image(other, new) == after, "\(way)")
    if let managed { #expect(try image(store, new, at: managed) == after) }
    var renamed: [Substring: String] = [:]
    for (index, step) in transition.entities.enumerated() {
      guard let step else { continue }
      renamed[Substring(transition.source.entities[step.sourceIndex].name)] =
        transition.destination.entities[index].name
    }
    func moved(_ links: String) -> String {
      links.split(separator: " ").map { link in
        let parts = link.split(separator: "/")
        return "\(renamed[parts[0]] ?? "")/\(parts[1])"
      }.joined(separator: " ")
    }
    for (index, step) in transition.entities.enumerated() {
      guard let step else { continue }
      let source = transition.source.entities[step.sourceIndex]
      let destination = transition.destination.entities[index]
      let rows = before[source.name] ?? [:]
      #expect((after[destination.name] ?? [:]).count == rows.count, "\(destination.name)")
      for (ordinal, origin) in step.properties.enumerated() {
        let property = destination.properties[ordinal]
        guard let origin, !property.isElement else { continue }
        let name = source.properties[origin].name
        for (key, values) in rows {
          guard var value = values[name], value != "nil" else { continue }
          if property.relationship != nil { value = moved(value) }
          let now = after[destination.name]?[key]?[property.name]
          #expect(now == value, "\(destination.name)/\(key).\(property.name)")
        }
      }
    }
    for store in [store, other] {
      #expect(try store.sqlite("PRAGMA integrity_check") == ["ok"])
      #expect(try store.damage(new) == [])
    }
  }

  @Test("Awful's versions migrate to the next one, and to the newest", arguments: 0..<6)
  func awful(_ index: Int) throws {
    let old = try Shared.awful(Shared.awful[index])
    for name in Set([Shared.awful[index + 1], Shared.awful[6]]) {
      let new = try Shared.awful(name)
      let store = try MigratedStore()
      try fill(store, try Shared.awful(Shared.awful[index]))
      try check(store, old, new)
    }
  }

  @Test("Awful's stores of each version come to the newest one, by one step and version by version")
  func awfulChain() throws {
    let folder = Shared.folder.appendingPathComponent("models/Awful.xcdatamodeld")
    let check = try MigrationCheck(modelAt: folder)
    var seen: [String] = []
    try check.run(verify: { seen.append($1) })
    // The version before the newest one takes one step either way.
    #expect(seen == Shared.awful[..<5].flatMap { [$0, $0] } + [Shared.awful[5]])
  }

  @Test(
    "Apple's stores get an attribute for each entity, and keep their rows", arguments: Shared.stores
  )
  func addition(_ path: String) throws {
    let (store, model) = try Shared.copy(path)
    let new = try #require(try ModelCache.model(inStoreAt: store.file))
    for entity in new.entities where entity.superentity == nil {
      entity.attribute("addedByMigration")
    }
    let history = "SELECT count(*), sum(ZENTITY * ZENTITYPK) FROM ACHANGE"
    let changes = try? store.sqlite(history)
    #expect(try store.plan(model, new).way == .inPlace)
    try check(store, model, new)
    #expect((try? store.sqlite(history)) == changes)
  }

  @Test("the store that Apple migrated has the rows that ours has")
  func sample() throws {
    let (store, old) = try Shared.copy("coredataplus/SampleModel_V1.sqlite")
    let (apple, new) = try Shared.copy("coredataplus/SampleModel_V2.sqlite")
    try check(store, old, try #require(try ModelCache.model(inStoreAt: apple.file)))
    _ = new
    for sql in [
      "SELECT Z_PK, Z_ENT, ZOWNER, ZISLIMITEDEDITION, ZMAKER, ZMODEL, ZNUMBERPLATE FROM ZCAR ORDER BY Z_PK",
      "SELECT Z_PK, Z_ENT, ZFIRSTNAME, ZLASTNAME FROM ZPERSON ORDER BY Z_PK",
      "SELECT Z_ENT, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY",
    ] {
      #expect(try store.sqlite(sql) == apple.sqlite(sql))
    }
    #expect(try store.schema() == apple.schema())
  }

  @Test(
    "bookmarks migrate from version to version", arguments: [("1", "2"), ("2", "4"), ("1", "4")])
  func bookmarks(_ versions: (String, String)) throws {
    let (store, old) = try Shared.copy("duckduckgo/Bookmarks_V\(versions.0).sqlite")
    let (_, new) = try Shared.copy("duckduckgo/Bookmarks_V\(versions.1).sqlite")
    try check(store, old, new)
  }
}
