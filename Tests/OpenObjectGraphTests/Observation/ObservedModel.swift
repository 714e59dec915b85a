import Foundation
import Observation
import OpenCoreData
import OpenManagedMacros
import Synchronization

@ManagedObject
final class ObservedAuthor: NSManagedObject {
  @Managed var name: String?
  @Managed var books: Set<ObservedBook>
}

@ManagedObject
final class ObservedBook: NSManagedObject {
  @Managed var title: String?
  @Managed var pages: Int32
  @Managed var price: Double
  @Managed var printed: Date?
  @Managed var cover: Data?
  @Managed var mood: String?
  @Managed var labels: [String]?
  @Managed var author: ObservedAuthor?
  @Managed var tags: Set<ObservedTag>
  @Managed var chapters: NSOrderedSet
  @Managed var sequel: ObservedBook?
  @Managed var prequel: ObservedBook?

  /// A value outside the model, with the access calls that Apple's guide requires.
  var shelf: Int {
    get {
      willAccessValue(forKey: "shelf")
      defer { didAccessValue(forKey: "shelf") }
      return shelfNumber
    }
    set {
      willChangeValue(forKey: "shelf")
      shelfNumber = newValue
      didChangeValue(forKey: "shelf")
    }
  }
  private var shelfNumber = 0

  override func willSave() {
    if title == "untitled" { title = "titled by the save" }
  }
}

@ManagedObject
final class ObservedTag: NSManagedObject {
  @Managed var name: String?
  @Managed var books: Set<ObservedBook>
}

@ManagedObject
final class ObservedChapter: NSManagedObject {
  @Managed var name: String?
  @Managed var book: ObservedBook?
}

/// Books with properties of all kinds, in a store of a type.
final class ObservedStack: Sendable {
  static let stores = [NSSQLiteStoreType, NSInMemoryStoreType]

  let container: NSPersistentContainer
  let context: NSManagedObjectContext

  /// - Parameter tracksObservation: Whether the stack's context takes part in Observation.
  init(_ type: String = NSInMemoryStoreType, tracksObservation: Bool = true) throws {
    container = try .loaded(
      "Observed", Self.makeModel(), [NSPersistentStoreDescription(type: type)])
    context = container.newBackgroundContext()
    let context = context
    context.performAndWait { context.tracksObservation = tracksObservation }
  }

  /// A saved book with an author, a tag and a chapter.
  func book() throws -> ObservedBook {
    let book = ObservedBook(context: context)
    book.title = "Dune"
    book.pages = 400
    let author = ObservedAuthor(context: context)
    author.name = "Herbert"
    book.author = author
    book.tags = [tag("sand")]
    chapter("one").book = book
    try context.save()
    return book
  }

  func tag(_ name: String) -> ObservedTag {
    let tag = ObservedTag(context: context)
    tag.name = name
    return tag
  }

  func chapter(_ name: String) -> ObservedChapter {
    let chapter = ObservedChapter(context: context)
    chapter.name = name
    return chapter
  }

  func author(_ name: String) -> ObservedAuthor {
    let author = ObservedAuthor(context: context)
    author.name = name
    return author
  }

  /// Changes an object in another context, and saves.
  ///
  /// - Parameter merges: Whether the stack's context merges the save.
  func changeElsewhere<Object: NSManagedObject>(
    _ object: Object, merges: Bool = true, _ change: (Object) -> Void
  ) throws {
    let other = container.newBackgroundContext()
    nonisolated(unsafe) var saves: [Notification] = []
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: other, queue: nil
    ) { saves.append($0) }
    defer {
      NotificationCenter.default.removeObserver(observer)
      if merges { saves.forEach(context.mergeChanges(fromContextDidSave:)) }
    }
    try other.performAndWait {
      guard let own = try other.existingObject(with: object.objectID) as? Object else { return }
      change(own)
      try other.save()
    }
  }

  private static func makeModel() -> NSManagedObjectModel {
    let author = entity("ObservedAuthor", [("name", .string)])
    let tag = entity("ObservedTag", [("name", .string)])
    let chapter = entity("ObservedChapter", [("name", .string)])
    let book = entity(
      "ObservedBook",
      [
        ("title", .string), ("pages", .integer32), ("price", .double), ("printed", .date),
        ("cover", .binaryData), ("mood", .string), ("labels", .transformable),
      ])
    book.attributesByName["mood"]?.isTransient = true
    join((book, "author", 1), (author, "books", 0))
    join((book, "tags", 0), (tag, "books", 0))
    join((chapter, "book", 1), (book, "chapters", 0))
    join((book, "sequel", 1), (book, "prequel", 1))
    book.relationshipsByName["chapters"]?.isOrdered = true
    let model = NSManagedObjectModel()
    model.entities = [author, tag, chapter, book]
    return model
  }

  private static func entity(
    _ name: String, _ attributes: [(String, NSAttributeDescription.AttributeType)]
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = name
    entity.properties = attributes.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.type = type
      attribute.isOptional = true
      return attribute
    }
    return entity
  }

  private typealias Side = (entity: NSEntityDescription, name: String, maxCount: Int)

  private static func join(_ first: Side, _ second: Side) {
    let (one, other) = (NSRelationshipDescription(), NSRelationshipDescription())
    for (relationship, side, end) in [(one, first, second), (other, second, first)] {
      relationship.name = side.name
      relationship.maxCount = side.maxCount
      relationship.isOptional = true
      relationship.destinationEntity = end.entity
    }
    one.inverseRelationship = other
    other.inverseRelationship = one
    first.entity.properties += [one]
    second.entity.properties += [other]
  }
}

/// Counts calls.
final class CallCount: Sendable {
  private let count = Atomic<Int>(0)

  var value: Int { count.load(ordering: .sequentiallyConsistent) }

  func add() { count.add(1, ordering: .sequentiallyConsistent) }
}

/// Reads something while Observation tracks access.
///
/// - Returns: The number of changes that Observation has reported since.
func tracking<Value>(_ read: () -> Value) -> CallCount {
  let calls = CallCount()
  _ = withObservationTracking(read) { calls.add() }
  return calls
}
