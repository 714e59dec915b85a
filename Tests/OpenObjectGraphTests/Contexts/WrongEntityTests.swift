import Foundation
import OpenCoreData
import OpenObjectGraph
import Testing

/// Ids from URIs that name a superentity or a subentity of the row's entity.
@Suite("Ids with another entity of the same hierarchy")
struct WrongEntityTests {
  private static let entities = ["ShelfBook": "ShelfNovel", "ShelfNovel": "ShelfBook"]

  /// A container with an author of one object of an entity, and the id of the object's row with the
  /// other entity of the hierarchy.
  private func library(
    _ storeType: String, of entity: String
  ) throws -> (container: NSPersistentContainer, id: NSManagedObjectID) {
    let container = try ShelfModel.container(storeType)
    let context = container.newBackgroundContext()
    let id = try context.performAndWait {
      let book = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
      book.setValue("Emma", forKey: "title")
      let author = ShelfAuthor(context: context)
      author.books = NSSet(object: book)
      try context.save()
      return try self.id(of: book, as: try #require(Self.entities[entity]))
    }
    #expect(id.entity.name == Self.entities[entity])
    return (container, id)
  }

  /// The id of an object's row with another entity of the hierarchy.
  private func id(of object: NSManagedObject, as entity: String) throws -> NSManagedObjectID {
    let url = object.objectID.uriRepresentation()
    let changed = url.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent(entity).appendingPathComponent(url.lastPathComponent)
    let coordinator = object.managedObjectContext?.persistentStoreCoordinator
    return try #require(coordinator?.managedObjectID(forURIRepresentation: changed))
  }

  private func books(in context: NSManagedObjectContext) throws -> [NSManagedObject] {
    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "ShelfBook"))
  }

  /// Apple, existingObject(with:): an object for the id.
  @Test(
    "existingObject(with:) returns an object of the entity of the row", arguments: StoreTypes.both,
    ["ShelfBook", "ShelfNovel"])
  func existing(storeType: String, entity: String) throws {
    let (container, id) = try library(storeType, of: entity)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let object = try context.existingObject(with: id)
      #expect(object.entity.name == entity)
      #expect(object.value(forKey: "title") as? String == "Emma")
      #expect(try books(in: context) == [object])
      #expect(try context.existingObject(with: id) === object)
    }
  }

  @Test(
    "existingObject(with:) returns an object of the entity of the row without cached rows",
    arguments: StoreTypes.both, ["ShelfBook", "ShelfNovel"])
  func existingWithoutCache(storeType: String, entity: String) throws {
    let (container, id) = try library(storeType, of: entity)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      context.stalenessInterval = 0
      let object = try context.existingObject(with: id)
      #expect(object.entity.name == entity)
      #expect(object.value(forKey: "title") as? String == "Emma")
    }
  }

  /// Apple, NSFetchRequest: a fetch returns objects of the entities of their rows.
  @Test(
    "a fetch and a relationship return an object of the entity of the row instead of the fault",
    arguments: StoreTypes.both, ["ShelfBook", "ShelfNovel"])
  func fetched(storeType: String, entity: String) throws {
    let (container, id) = try library(storeType, of: entity)
    for isFetched in [true, false] {
      let context = container.newBackgroundContext()
      try context.performAndWait {
        let fault = context.object(with: id)
        let authors = NSFetchRequest<ShelfAuthor>(entityName: "ShelfAuthor")
        let found =
          try isFetched
          ? books(in: context).first
          : context.fetch(authors).first?.books?.anyObject() as? NSManagedObject
        #expect(found?.entity.name == entity)
        #expect(found?.value(forKey: "title") as? String == "Emma")
        #expect(found !== fault)
        #expect(fault.managedObjectContext == nil)
        #expect(context.checkInvariants().isEmpty)
      }
    }
  }

  /// The row exists, so delete rules must not apply to the objects that refer to it.
  @Test(
    "firing a fault with the wrong entity is an error of the next save, and changes nothing",
    arguments: StoreTypes.both, ["ShelfBook", "ShelfNovel"])
  func fired(storeType: String, entity: String) throws {
    let (container, id) = try library(storeType, of: entity)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let fault = context.object(with: id)
      #expect(fault.value(forKey: "title") == nil)
      #expect(fault.managedObjectContext == nil)
      #expect(!context.hasChanges)
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .managedObjectReferentialIntegrity)
      context.rollback()
      let found = try books(in: context)
      #expect(found.map(\.entity.name) == [entity])
      #expect(found.first?.value(forKey: "author") != nil)
    }
  }

  @Test(
    "a to-one relationship returns an object of the entity of the row", arguments: StoreTypes.both)
  func toOne(storeType: String) throws {
    let stack = try LinkStack(storeType)
    let (context, other) = (stack.context(), stack.context())
    let id = try context.performAndWait {
      let (owner, item) = (context.link("LinkOwner", 0), context.link("LinkSpecial", 3))
      owner.setValue(item, forKey: "badge")
      try context.save()
      let uri = item.objectID.uriRepresentation().absoluteString
      let changed = uri.replacingOccurrences(of: "LinkSpecial", with: "LinkItem")
      return try #require(context.persistentStoreCoordinator?.managedObjectID(for: changed))
    }
    try other.performAndWait {
      let fault = other.object(with: id)
      let badge = try other.linked(0)?.linkedObject("badge")
      #expect(badge?.entity.name == "LinkSpecial")
      #expect(badge?.linkCode == 3)
      #expect(badge !== fault)
    }
  }

  // MARK: Saves of children

  @Test(
    "a child's changes reach an object of the entity of the row instead of the parent's fault",
    arguments: StoreTypes.both, ["ShelfBook", "ShelfNovel"])
  func changedByChild(storeType: String, entity: String) throws {
    let (container, id) = try library(storeType, of: entity)
    let parent = container.newBackgroundContext()
    let child = parent.makeChild()
    try child.performAndWait {
      let book = try #require(try books(in: child).first)
      let fault = parent.performAndWait { parent.object(with: id) }
      book.setValue("Persuasion", forKey: "title")
      try child.save()
      try parent.performAndWait {
        #expect(parent.updatedObjects.map(\.entity.name) == [entity])
        #expect(fault.managedObjectContext == nil)
        #expect(parent.checkInvariants().isEmpty)
        try parent.save()
        parent.reset()
        let titles = try books(in: parent).map { $0.value(forKey: "title") as? String }
        #expect(titles == ["Persuasion"])
      }
    }
  }

  @Test("a child's new object is inserted with its entity, not as the parent's fault")
  func insertedByChild() throws {
    let parent = try ShelfModel.container(NSSQLiteStoreType).newBackgroundContext()
    let child = parent.makeChild()
    try child.performAndWait {
      let novel = ShelfNovel(context: child)
      novel.genre = "Saga"
      try child.obtainPermanentIDs(for: [novel])
      let id = try self.id(of: novel, as: "ShelfBook")
      let fault = parent.performAndWait { parent.object(with: id) }
      try child.save()
      try parent.performAndWait {
        #expect(parent.insertedObjects.map(\.entity.name) == ["ShelfNovel"])
        #expect(fault.managedObjectContext == nil)
        #expect(parent.checkInvariants().isEmpty)
        try parent.save()
        parent.reset()
        let genres = try books(in: parent).map { $0.value(forKey: "genre") as? String }
        #expect(genres == ["Saga"])
      }
    }
  }

  @Test("an invalid entity number beside a reference does not change the destination")
  func entityNumber() throws {
    let model = ShelfModel.make()
    let favorite = NSRelationshipDescription()
    (favorite.name, favorite.maxCount) = ("favorite", 1)
    favorite.destinationEntity = model.entitiesByName["ShelfBook"]
    model.entitiesByName["ShelfAuthor"]?.properties.append(favorite)
    let stack = try FileTestStack()
    let url = stack.url("shelf.sqlite")
    func context() throws -> NSManagedObjectContext {
      let store = NSPersistentStoreDescription(url: url)
      return try NSPersistentContainer.loaded("Shelf", model, [store]).newBackgroundContext()
    }
    let writer = try context()
    try writer.performAndWait { () throws in
      ShelfAuthor(context: writer).setValue(ShelfNovel(context: writer), forKey: "favorite")
      try writer.save()
    }
    try stack.execute("UPDATE ZSHELFAUTHOR SET Z2_FAVORITE = -9223372036854775808", on: url)
    let reader = try context()
    try reader.performAndWait { () throws in
      let authors = try reader.fetch(NSFetchRequest<ShelfAuthor>(entityName: "ShelfAuthor"))
      #expect(authors.first?.value(forKey: "favorite") is ShelfNovel)
    }
  }
}
