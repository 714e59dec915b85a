import Foundation
import OpenCoreData
import OpenManagedMacros
import Testing

@ManagedObject
class UnlabeledParcel: NSManagedObject {
  @Managed var label: String
  @Managed var contents: Data
}

/// Differences from Apple's frameworks that `Docs/Deviations.md` describes and that no other suite covers.
@Suite("Documented differences")
struct DocumentedDifferenceTests {
  private let container: NSPersistentContainer

  init() throws { container = try ShelfModel.container(NSSQLiteStoreType) }

  @Test(
    "an initializer creates the class on which it is called; insertNewObject creates the entity's class"
  )
  func classOfInitializer() throws {
    let context = container.newBackgroundContext()
    let entity = try #require(container.managedObjectModel.entitiesByName["ShelfBook"])
    context.performAndWait {
      let plain = NSManagedObject(entity: entity, insertInto: context)
      #expect(type(of: plain) == NSManagedObject.self)
      #expect(type(of: ShelfBook(context: context)) == ShelfBook.self)
      let book = NSEntityDescription.insertNewObject(forEntityName: "ShelfBook", into: context)
      #expect(type(of: book) == ShelfBook.self)
    }
  }

  @Test("a property whose type is not optional returns zero or false if it has no value")
  func missingValues() throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let book = ShelfBook(context: context)
      for key in ["pages", "price", "isNew"] { book.setValue(nil, forKey: key) }
      try context.save()
      context.refresh(book, mergeChanges: false)
      for key in ["pages", "price", "isNew"] { #expect(book.value(forKey: key) == nil) }
      #expect((book.pages, book.price, book.isNew) == (0, 0, false))
    }
    let entity = NSEntityDescription()
    entity.name = "UnlabeledParcel"
    entity.managedObjectClassName = "UnlabeledParcel"
    entity.properties = [attribute("label", .string), attribute("contents", .binaryData)]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let parcels = try NSPersistentContainer.loaded(
      "Parcels", model, [NSPersistentStoreDescription(type: NSSQLiteStoreType)]
    ).newBackgroundContext()
    try parcels.performAndWait {
      let parcel = UnlabeledParcel(context: parcels)
      try parcels.save()
      parcels.refresh(parcel, mergeChanges: false)
      #expect(parcel.label == "")
      #expect(parcel.contents == Data())
    }
  }

  @Test(
    "the primitive accessors of relationships update inverse relationships and fire faults")
  func primitiveRelationships() throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let (author, book) = (ShelfAuthor(context: context), ShelfBook(context: context))
      book.author = author
      try context.save()
      context.refresh(book, mergeChanges: false)
      #expect(book.isFault)
      #expect(book.primitiveValue(forKey: "author") as? ShelfAuthor === author)
      #expect(!book.isFault)
      author.setPrimitiveValue(NSSet(), forKey: "books")
      #expect(book.author == nil)
      #expect(book.isUpdated && !author.isUpdated)
    }
  }

  @Test("value(forKey:) with an unknown key returns nil, and the next save does not throw")
  func unknownKey() throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let book = ShelfBook(context: context)
      #expect(book.value(forKey: "nonsense") == nil)
      try context.save()
    }
  }

  @Test("two contexts that add different members to a to-many relationship do not conflict")
  func addedMembers() throws {
    let (one, other) = (container.newBackgroundContext(), container.newBackgroundContext())
    let id = try one.performAndWait {
      let author = ShelfAuthor(context: one)
      try one.save()
      return author.objectID
    }
    for context in [one, other] {
      context.mergePolicy = NSErrorMergePolicy
      try context.performAndWait { _ = try context.existingObject(with: id).value(forKey: "code") }
    }
    for context in [one, other] {
      try context.performAndWait {
        let author = try #require(try context.existingObject(with: id) as? ShelfAuthor)
        ShelfBook(context: context).author = author
        #expect(context.updatedObjects == [author])
        try context.save()
      }
    }
    try one.performAndWait {
      let request = NSFetchRequest<ShelfBook>(entityName: "ShelfBook")
      request.predicate = NSPredicate(format: "author == %@", id)
      let count = try one.count(for: request)
      #expect(count == 2)
    }
  }

  @Test(
    "perform of a context confined to a thread runs its block on the calling thread, before it returns"
  )
  func confinedContext() {
    let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
    let caller = Thread.current
    nonisolated(unsafe) var runner: Thread?
    context.perform { runner = Thread.current }
    #expect(runner === caller)
  }
}
