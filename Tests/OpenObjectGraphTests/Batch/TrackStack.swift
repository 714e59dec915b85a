import Foundation
import OpenCoreData
import OpenTestSupport

/// A store of tracks, albums and playlists for batch requests and history, in a file or in memory.
final class TrackStack {
  /// The location of the store.
  enum Place: String, CaseIterable, Sendable {
    case file, memory
  }

  let place: Place
  let coordinator: NSPersistentStoreCoordinator
  let store: NSPersistentStore
  let recorder = StatementRecorder()
  let file: URL
  private let folder: URL

  init(
    _ place: Place, history: Bool = false, options: [AnyHashable: Any] = [:], copying: URL? = nil
  ) throws {
    self.place = place
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("tracks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    file = folder.appendingPathComponent("tracks.sqlite")
    if let copying { try FileManager.default.copyItem(at: copying, to: file) }
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.makeModel())
    store = try Self.add(
      to: coordinator, place, file, history, options, recorder)
  }

  deinit {
    // If the folder cannot be removed, the system deletes it later.
    try? FileManager.default.removeItem(at: folder)
  }

  private static func add(
    to coordinator: NSPersistentStoreCoordinator, _ place: Place, _ file: URL, _ history: Bool,
    _ options: [AnyHashable: Any], _ recorder: StatementRecorder
  ) throws -> NSPersistentStore {
    var options = options
    options[OpenStatementObserverOption] = recorder.observer
    if history { options[NSPersistentHistoryTrackingKey] = true as NSNumber }
    return try coordinator.addPersistentStore(
      ofType: place == .file ? NSSQLiteStoreType : NSInMemoryStoreType, configurationName: nil,
      at: place == .file ? file : nil, options: options)
  }

  /// Another coordinator with the same file.
  func secondCoordinator(
    history: Bool = true, options: [AnyHashable: Any] = [:]
  ) throws -> NSPersistentStoreCoordinator {
    let second = NSPersistentStoreCoordinator(managedObjectModel: Self.makeModel())
    _ = try Self.add(to: second, place, file, history, options, StatementRecorder())
    return second
  }

  func makeContext(
    author: String? = nil, name: String? = nil, policy: Any = NSErrorMergePolicy
  ) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.transactionAuthor = author
    context.name = name
    context.mergePolicy = policy
    return context
  }

  /// Inserts an object with values.
  @discardableResult
  static func insert(
    _ entity: String, _ values: [String: Any], in context: NSManagedObjectContext
  ) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  /// Saves tracks titled "Track 0" and so on, with their number as rating.
  func seed(_ count: Int) throws {
    let context = makeContext()
    try context.performAndWait {
      for number in 0..<count {
        Self.insert("Track", ["title": "Track \(number)", "rating": number], in: context)
      }
      try context.save()
    }
  }

  /// Returns the values of a key, by title, that a request for an entity finds in a new context.
  func values<Wanted>(_ key: String, of entity: String = "Track") throws -> [String: Wanted] {
    let context = makeContext()
    return try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      var values: [String: Wanted] = [:]
      for object in try context.fetch(request) {
        values[object.value(forKey: "title") as? String ?? "-"] =
          object.value(forKey: key) as? Wanted
      }
      return values
    }
  }

  func titles(of entity: String = "Track") throws -> [String] {
    let context = makeContext()
    return try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      return try context.fetch(request).map { $0.value(forKey: "title") as? String ?? "-" }.sorted()
    }
  }

  // MARK: Model

  static func makeModel() -> NSManagedObjectModel {
    let track = entity(
      "Track",
      [
        attribute("title", .string, isOptional: false), attribute("rating", .integer16, 0),
        attribute("length", .double), attribute("added", .date), attribute("price", .decimal),
        attribute("code", .string), attribute("isLoved", .boolean, false),
        attribute("cover", .transformable),
      ])
    let live = entity("LiveTrack", [attribute("venue", .string)])
    track.subentities = [live]
    track.uniquenessConstraints = [["code"]]
    let album = entity("Album", [attribute("title", .string)])
    let label = entity("Label", [attribute("title", .string)])
    let playlist = entity("Playlist", [attribute("title", .string)])
    join(track, toOne("album", album), album, toMany("tracks", track))
    join(
      album, toOne("label", label, isOptional: true), label,
      toMany("albums", album, .cascadeDeleteRule))
    join(playlist, toMany("tracks", track), track, toMany("playlists", playlist))
    join(
      playlist, toOne("opener", track), track, toMany("opened", playlist, .denyDeleteRule))
    let ticket = entity("Ticket", [attribute("title", .string)])
    join(
      ticket, toOne("concert", live, isOptional: false), live, toMany("tickets", ticket))
    for (owner, name) in [(track, "title"), (live, "venue"), (track, "added")] {
      owner.attributesByName[name]?.preservesValueInHistoryOnDeletion = true
    }
    let model = NSManagedObjectModel()
    model.entities = [track, live, album, label, playlist, ticket]
    return model
  }

  private static func entity(
    _ name: String, _ properties: [NSPropertyDescription]
  ) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = properties
    return entity
  }

  private static func attribute(
    _ name: String, _ type: NSAttributeDescription.AttributeType, _ defaultValue: Any? = nil,
    isOptional: Bool = true
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.type = type
    attribute.isOptional = isOptional
    attribute.defaultValue = defaultValue
    return attribute
  }

  private static func toOne(
    _ name: String, _ destination: NSEntityDescription, isOptional: Bool = true
  ) -> NSRelationshipDescription {
    relationship(name, destination, 1, .nullifyDeleteRule, isOptional)
  }

  private static func toMany(
    _ name: String, _ destination: NSEntityDescription, _ rule: NSDeleteRule = .nullifyDeleteRule
  ) -> NSRelationshipDescription {
    relationship(name, destination, 0, rule, true)
  }

  private static func relationship(
    _ name: String, _ destination: NSEntityDescription, _ maxCount: Int, _ rule: NSDeleteRule,
    _ isOptional: Bool
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.maxCount = maxCount
    relationship.deleteRule = rule
    relationship.isOptional = isOptional
    return relationship
  }

  private static func join(
    _ one: NSEntityDescription, _ first: NSRelationshipDescription, _ other: NSEntityDescription,
    _ second: NSRelationshipDescription
  ) {
    one.properties += [first]
    other.properties += [second]
    first.inverseRelationship = second
    second.inverseRelationship = first
  }
}
