import Foundation
import OpenCoreData

/// A model with every kind of relationship between owners and items; some items belong to a
/// subentity.
enum LinkModel {
  /// Names of to-one relationships by entity.
  static let toOne = [
    "LinkOwner": ["badge", "note"], "LinkItem": ["owner", "host", "bearer", "next", "previous"],
  ]
  /// Names of to-many relationships by entity; the relationships of items are the inverses.
  static let toMany = [
    "LinkOwner": ["items", "crowd", "tags", "picks", "loose"], "LinkItem": ["tagged", "picked"],
  ]
  static let ordered: Set<String> = ["items", "picks"]
  /// One-to-one relationships of items and owners with their inverses.
  static let pairs = [
    ("LinkOwner", "badge", "bearer"), ("LinkItem", "bearer", "badge"),
    ("LinkItem", "next", "previous"), ("LinkItem", "previous", "next"),
  ]

  /// The entity that has a relationship.
  static func sourceEntity(_ name: String) -> String {
    let isOwners =
      toOne["LinkOwner"]?.contains(name) == true || toMany["LinkOwner"]?.contains(name) == true
    return isOwners ? "LinkOwner" : "LinkItem"
  }

  /// The destination entity of a relationship.
  static func destinationEntity(_ name: String) -> String {
    ["owner", "host", "bearer", "tagged", "picked"].contains(name) ? "LinkOwner" : "LinkItem"
  }

  static func make() -> NSManagedObjectModel {
    let owner = entity("LinkOwner")
    let item = entity("LinkItem")
    let special = entity("LinkSpecial")
    special.properties = [attribute("extra", .string)]
    item.subentities = [special]
    for entity in [owner, item] {
      entity.properties = [attribute("code", .integer64), attribute("text", .string)]
    }
    join("items", .many, of: owner, "owner", .one, of: item)
    join("crowd", .many, of: owner, "host", .one, of: item)
    join("badge", .one, of: owner, "bearer", .one, of: item)
    join("tags", .many, of: owner, "tagged", .many, of: item)
    join("picks", .many, of: owner, "picked", .many, of: item)
    join("next", .one, of: item, "previous", .one, of: item)
    owner.properties += [relationship("note", .one, item), relationship("loose", .many, item)]
    let model = NSManagedObjectModel()
    model.entities = [owner, item, special]
    return model
  }

  private enum Count: Int { case many, one }

  private static func entity(_ name: String) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    return entity
  }

  private static func relationship(
    _ name: String, _ count: Count, _ destination: NSEntityDescription
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.maxCount = count.rawValue
    relationship.destinationEntity = destination
    relationship.isOrdered = ordered.contains(name)
    relationship.deleteRule = .nullifyDeleteRule
    return relationship
  }

  private static func join(
    _ name: String, _ count: Count, of one: NSEntityDescription, _ inverse: String,
    _ inverseCount: Count, of other: NSEntityDescription
  ) {
    let forward = relationship(name, count, other)
    let backward = relationship(inverse, inverseCount, one)
    forward.inverseRelationship = backward
    backward.inverseRelationship = forward
    one.properties += [forward]
    other.properties += [backward]
  }
}

/// A store with the model, and any number of coordinators over it.
final class LinkStack {
  let type: String
  private let model: NSManagedObjectModel
  private let folder: URL
  private let shared: NSPersistentContainer

  init(_ type: String, _ change: (NSManagedObjectModel) -> Void = { _ in }) throws {
    self.type = type
    model = LinkModel.make()
    change(model)
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "links-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    shared = try Self.container(type, model, folder)
  }

  // If the folder cannot be removed, the system deletes it later.
  deinit { try? FileManager.default.removeItem(at: folder) }

  private static func container(
    _ type: String, _ model: NSManagedObjectModel, _ folder: URL
  ) throws -> NSPersistentContainer {
    let store = NSPersistentStoreDescription(type: type)
    if type == NSSQLiteStoreType { store.url = folder.appendingPathComponent("links.sqlite") }
    return try NSPersistentContainer.loaded("Links", model, [store])
  }

  /// A context of the first coordinator.
  func context(_ policy: NSMergePolicy = .error) -> NSManagedObjectContext {
    let context = shared.newBackgroundContext()
    context.mergePolicy = policy
    return context
  }

  /// A context of a second coordinator if the store can be opened twice; otherwise, of the first.
  func foreignContext(_ policy: NSMergePolicy = .error) throws -> NSManagedObjectContext {
    guard type == NSSQLiteStoreType else { return context(policy) }
    let context = try Self.container(type, model, folder).newBackgroundContext()
    context.mergePolicy = policy
    return context
  }
}

extension NSManagedObjectContext {
  @discardableResult
  func link(_ entity: String, _ code: Int) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
    object.setValue(code, forKey: "code")
    return object
  }

  func links(_ entity: String) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    return try fetch(request)
  }

  /// Returns the object with a code; codes are unique among owners and items.
  func linked(_ code: Int) throws -> NSManagedObject? {
    for entity in ["LinkOwner", "LinkItem"] {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = NSPredicate(format: "code == %d", code)
      if let object = try fetch(request).first { return object }
    }
    return nil
  }
}

extension NSManagedObject {
  var linkCode: Int { value(forKey: "code") as? Int ?? -1 }

  func linkedObject(_ name: String) -> NSManagedObject? { value(forKey: name) as? NSManagedObject }

  /// Returns the codes of the members, in their order if they have one, otherwise ascending.
  func linkedCodes(_ name: String) -> [Int] {
    if LinkModel.ordered.contains(name) {
      return linkedMembers(name).map(\.linkCode)
    }
    return linkedMembers(name).map(\.linkCode).sorted()
  }

  func linkedMembers(_ name: String) -> [NSManagedObject] {
    let value = value(forKey: name)
    let objects = (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? []
    return objects.compactMap { $0 as? NSManagedObject }
  }

  func setLinkedMembers(_ name: String, _ objects: [NSManagedObject]) {
    if LinkModel.ordered.contains(name) {
      setValue(NSOrderedSet(array: objects), forKey: name)
    } else {
      setValue(NSSet(array: objects), forKey: name)
    }
  }
}
