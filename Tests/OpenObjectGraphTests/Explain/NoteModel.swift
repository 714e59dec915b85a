import Foundation
import OpenCoreData

/// Notes with an attribute of most types, their people and tags; people have parents.
enum NoteModel {
  static func make() -> NSManagedObjectModel {
    let note = entity(
      "Note",
      [
        ("title", .stringAttributeType), ("body", .stringAttributeType),
        ("rank", .integer64AttributeType), ("price", .doubleAttributeType),
        ("date", .dateAttributeType), ("code", .UUIDAttributeType),
        ("bytes", .binaryDataAttributeType), ("flag", .booleanAttributeType),
        ("secret", .transformableAttributeType),
      ])
    let person = entity("Person", [("name", .stringAttributeType)])
    let tag = entity("Tag", [("word", .stringAttributeType)])
    connect(relationship("owner", person, 1, of: note), relationship("notes", note, 0, of: person))
    connect(
      relationship("parent", person, 1, of: person), relationship("children", person, 0, of: person)
    )
    connect(relationship("tags", tag, 0, of: note), relationship("notes", note, 0, of: tag))
    index(note, "byTitle", ["title"])
    index(note, "byDate", ["date"])
    let model = NSManagedObjectModel()
    model.entities = [note, person, tag]
    return model
  }

  static func entity(
    _ name: String, _ attributes: [(String, NSAttributeType)]
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = attributes.map { name, type in
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
      return attribute
    }
    return entity
  }

  private static func relationship(
    _ name: String, _ destination: NSEntityDescription, _ maxCount: Int,
    of entity: NSEntityDescription
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    (relationship.name, relationship.destinationEntity) = (name, destination)
    (relationship.maxCount, relationship.isOptional) = (maxCount, true)
    entity.properties += [relationship]
    return relationship
  }

  private static func connect(
    _ one: NSRelationshipDescription, _ other: NSRelationshipDescription
  ) {
    one.inverseRelationship = other
    other.inverseRelationship = one
  }

  private static func index(_ entity: NSEntityDescription, _ name: String, _ keys: [String]) {
    let elements = keys.compactMap { key in
      entity.propertiesByName[key].map {
        NSFetchIndexElementDescription(property: $0, collationType: .binary)
      }
    }
    entity.indexes += [NSFetchIndexDescription(name: name, elements: elements)]
  }
}

/// A context on one store of notes, in memory.
final class NoteStore {
  let context: NSManagedObjectContext
  let recorder = StatementLog()

  init(_ type: String = NSSQLiteStoreType, model: NSManagedObjectModel? = nil) throws {
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: model ?? NoteModel.make())
    _ = try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"),
      options: [OpenStatementObserverOption: recorder.observer])
    context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
  }

  /// Saves notes with ranks from 0, filled by a closure.
  func fill(_ count: Int, _ body: (NSManagedObject, Int) -> Void = { _, _ in }) throws {
    try context.performAndWait {
      for rank in 0..<count {
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
        note.setValue(rank, forKey: "rank")
        note.setValue("title \(rank)", forKey: "title")
        note.setValue("body \(rank)", forKey: "body")
        body(note, rank)
      }
      try context.save()
    }
  }

  /// The ranks of the notes that a predicate selects, in order.
  func ranks(_ predicate: NSPredicate) throws -> [Int] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    request.predicate = predicate
    return try context.performAndWait {
      try context.fetch(request).compactMap { $0.value(forKey: "rank") as? Int }.sorted()
    }
  }

  /// The explanation of a request for notes.
  func explanation(
    _ format: String? = nil, showsBindings: Bool = false,
    _ change: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }
  ) throws -> FetchExplanation {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    request.predicate = format.map { NSPredicate(format: $0) }
    change(request)
    return try context.performAndWait {
      try context.explanation(of: request, showsBindings: showsBindings)
    }
  }
}
