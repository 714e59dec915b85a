import Foundation
import OpenCoreData
import OpenManagedMacros
import Testing

@ManagedObject
final class NamedReader: NSManagedObject {
  @Managed var primitiveType: String?
  @Managed var title: String?
  @Managed var primitiveTitle: String?
  @Managed var eBooks: NSSet?
  @Managed("URLs") var urls: NSSet?

  @ManagedAccessor func addToEBooks(_ value: NamedReader)
  @ManagedAccessor func addToURLs(_ value: NamedReader)
  @ManagedAccessor func removeFromURLs(_ values: NSSet)
}

/// Property names that accessors could confuse with others.
@Suite struct PropertyNameTests {
  private func context() throws -> NSManagedObjectContext {
    let entity = NSEntityDescription()
    (entity.name, entity.managedObjectClassName) = ("NamedReader", "NamedReader")
    entity.properties = [attribute("primitiveType", .string), attribute("title", .string)]
    for name in ["eBooks", "URLs"] {
      let relationship = NSRelationshipDescription()
      (relationship.name, relationship.destinationEntity) = (name, entity)
      entity.properties.append(relationship)
    }
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let store = NSPersistentStoreDescription(type: NSInMemoryStoreType)
    return try NSPersistentContainer.loaded("Names", model, [store]).newBackgroundContext()
  }

  @Test("an attribute can have the name of a primitive accessor; its changes are saved")
  func primitiveType() throws {
    let context = try context()
    try context.performAndWait {
      let reader = NamedReader(context: context)
      try context.save()
      reader.primitiveType = "paper"
      #expect(reader.primitiveType == "paper")
      #expect(reader.value(forKey: "primitiveType") as? String == "paper")
      #expect(reader.hasChanges)
      try context.save()
      context.reset()
      let request = NSFetchRequest<NamedReader>(entityName: "NamedReader")
      #expect(try context.fetch(request).map(\.primitiveType) == ["paper"])
    }
  }

  @Test("a name that is not in the model denotes the primitive value")
  func primitiveTitle() throws {
    let context = try context()
    try context.performAndWait {
      let reader = NamedReader(context: context)
      try context.save()
      reader.primitiveTitle = "Emma"
      #expect(reader.title == "Emma" && reader.primitiveTitle == "Emma")
      #expect(!reader.hasChanges)
    }
  }

  @Test(
    "a property with the name of a member of managed objects is read and saved by its key (D-411)")
  func memberNames() throws {
    let names = ["description", "hash", "objectID", "self", "superclass"]
    let entity = NSEntityDescription()
    entity.name = "Note"
    entity.properties = names.map { attribute($0, .string) }
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let store = NSPersistentStoreDescription(type: NSInMemoryStoreType)
    let context = try NSPersistentContainer.loaded("Names", model, [store]).newBackgroundContext()
    try context.performAndWait {
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      for name in names { note.setValue("the \(name)", forKey: name) }
      try context.save()
      context.reset()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      let found = try #require(try context.fetch(request).first)
      for name in names { #expect(found.value(forKey: name) as? String == "the \(name)") }
    }
  }

  @Test(
    "accessors change the model's relationship, whether its name begins with a capital letter or not"
  )
  func accessors() throws {
    let context = try context()
    try context.performAndWait {
      let (one, other) = (NamedReader(context: context), NamedReader(context: context))
      one.addToEBooks(other)
      one.addToURLs(other)
      #expect(one.eBooks == NSSet(object: other) && one.urls == NSSet(object: other))
      one.removeFromURLs(NSSet(object: other))
      #expect(one.urls?.count == 0)
      try context.save()
    }
  }
}
