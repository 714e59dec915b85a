import AwfulCore
import CoreData
import Foundation
import Testing

/// A store of any version of the model, in a separate folder, filled with rows generated from a seed.
///
/// The trial creates and reads objects by their descriptions, because classes have the newest version's properties.
final class VersionedStore {
  /// The contents of a store: values and names of related objects as texts, by entity, object and
  /// property.
  typealias Contents = [String: [String: [String: String]]]

  let file: URL
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("AwfulVersions-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    file = folder.appendingPathComponent("forums.sqlite")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }  // nothing to do about one that stays

  /// Opens the store with a version of the model, as an application does.
  private func open<Result>(
    _ version: Int, _ body: (NSManagedObjectContext, NSManagedObjectModel) throws -> Result
  ) throws -> Result {
    let model = try AwfulModel.make(version: version)
    let container = NSPersistentContainer(name: AwfulModel.name, managedObjectModel: model)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    defer {
      for store in container.persistentStoreCoordinator.persistentStores {
        // A store that stays open is deleted with its folder.
        try? container.persistentStoreCoordinator.remove(store)
      }
    }
    let context = container.newBackgroundContext()
    return try context.performAndWait { try body(context, model) }
  }

  // MARK: Rows

  /// The attribute that identifies an entity's objects.
  private static let labels = [
    "Announcement": "listIndex", "Forum": "forumID", "ForumGroup": "groupID",
    "ForumMetadata": "favoriteIndex", "Post": "postID", "PrivateMessage": "messageID",
    "PrivateMessageFolder": "folderID", "Profile": "postCount", "Thread": "threadID",
    "ThreadFilter": "numberOfPages", "ThreadTag": "threadTagID", "User": "userID",
  ]

  /// Makes rows of every entity of a version, with values for all attributes and links for all relationships.
  func fill(version: Int, seed: UInt64, count: Int = 12) throws {
    var numbers = SeededNumbers(seed)
    try open(version) { context, model in
      var objects: [String: [NSManagedObject]] = [:]
      for (name, entity) in model.entitiesByName.sorted(by: { $0.key < $1.key }) {
        objects[name] = (1...count).map { number in
          let object = NSManagedObject(entity: entity, insertInto: context)
          for (key, attribute) in entity.attributesByName.sorted(by: { $0.key < $1.key })
          where !attribute.isTransient {
            let isLabel = Self.labels[name] == key
            object.setValue(
              Self.value(of: attribute, isLabel ? number : nil, &numbers), forKey: key)
          }
          return object
        }
      }
      for (name, entity) in model.entitiesByName.sorted(by: { $0.key < $1.key }) {
        for (key, relationship) in entity.relationshipsByName.sorted(by: { $0.key < $1.key }) {
          let candidates = objects[relationship.destinationEntity?.name ?? ""] ?? []
          Self.link(objects[name] ?? [], key, relationship, candidates, &numbers)
        }
      }
      try context.save()
    }
  }

  private static func value(
    of attribute: NSAttributeDescription, _ label: Int?, _ numbers: inout SeededNumbers
  ) -> Any? {
    if label == nil, attribute.isOptional, numbers.next() % 4 == 0 { return nil }
    let number = label ?? Int.random(in: 1...20_000, using: &numbers)
    switch attribute.type {
    case .integer16, .integer32, .integer64: return number
    case .float, .double: return Float(number) / 4
    case .boolean: return number.isMultiple(of: 2)
    case .date: return Date(timeIntervalSinceReferenceDate: Double(number) * 86_400.5)
    case .transformable: return NSURL(string: "https://forums.example/\(number)?a=b")
    default: return "\(attribute.name) \(number) äß✓"
    }
  }

  private static func link(
    _ objects: [NSManagedObject], _ key: String, _ relationship: NSRelationshipDescription,
    _ candidates: [NSManagedObject], _ numbers: inout SeededNumbers
  ) {
    guard !candidates.isEmpty, let inverse = relationship.inverseRelationship else { return }
    if relationship.isToMany {
      // One-to-many relationships are set through their inverses.
      guard inverse.isToMany, relationship.isOrdered else { return }
      for object in objects {
        let members = candidates.shuffled(using: &numbers)
          .prefix(Int.random(in: 0...5, using: &numbers))
        object.setValue(NSOrderedSet(array: Array(members)), forKey: key)
      }
    } else if inverse.isToMany {
      for object in objects where numbers.next() % 5 != 0 {
        object.setValue(candidates.randomElement(using: &numbers), forKey: key)
      }
    } else if relationship.name < inverse.name || !relationship.isOptional {
      for (object, other) in zip(objects, candidates.shuffled(using: &numbers)) {
        object.setValue(other, forKey: key)
      }
    }
  }

  /// The contents of the store after opening it with a version, which migrates an older store.
  func contents(version: Int) throws -> Contents {
    try open(version) { context, model in
      var contents: Contents = [:]
      for (name, entity) in model.entitiesByName {
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        var rows: [String: [String: String]] = [:]
        for object in try context.fetch(request) {
          let label = Self.label(of: object)
          #expect(rows[label] == nil, "two objects of \(name) are \(label)")
          rows[label] = Self.row(of: object, entity)
        }
        contents[name] = rows
      }
      return contents
    }
  }

  private static func label(of object: NSManagedObject) -> String {
    let name = object.entity.name ?? ""
    return "\(name) \(labels[name].flatMap { object.value(forKey: $0) } ?? "?")"
  }

  private static func row(
    of object: NSManagedObject, _ entity: NSEntityDescription
  ) -> [String: String] {
    var row: [String: String] = [:]
    for (key, attribute) in entity.attributesByName where !attribute.isTransient {
      row[key] = object.value(forKey: key).map(text) ?? "nil"
    }
    for (key, relationship) in entity.relationshipsByName {
      if relationship.isOrdered {
        row[key] = "\(object.mutableOrderedSetValue(forKey: key).compactMap(name))"
      } else if relationship.isToMany {
        row[key] = "\(object.mutableSetValue(forKey: key).compactMap(name).sorted())"
      } else {
        row[key] = object.value(forKey: key).flatMap(name) ?? "nil"
      }
    }
    return row
  }

  private static func name(_ value: Any) -> String? { (value as? NSManagedObject).map(label) }

  private static func text(_ value: Any) -> String {
    switch value {
    case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
    case let url as NSURL: url.absoluteString
    case let url as URL: url.absoluteString
    default: "\(value)"
    }
  }
}

/// Numbers that follow from a seed.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
