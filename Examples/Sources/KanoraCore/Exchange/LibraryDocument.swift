public import CoreData
import Foundation

/// A complete library as JSON: every object with all its values, and the ids of the objects it belongs to.
///
/// ```json
/// {"format": "kanora", "version": 3, "objects": {"Track": [{"id": "…", "title": "…", "album": "…"}]}}
/// ```
///
/// Dates are seconds since January 1, 2001. Every property of the model is written, so nothing is lost.
public struct LibraryDocument {
  private let context: NSManagedObjectContext

  /// Creates a document reader and writer for a context. Use it on the context's queue.
  public init(in context: NSManagedObjectContext) { self.context = context }

  // MARK: Writing

  /// Returns the library as JSON, which is identical for equal libraries.
  ///
  /// The document contains one state of the library, even if another program saves in the meantime.
  ///
  /// - Throws: Any error a fetch throws.
  public func data() throws -> Data {
    let objects = try readingOneState(records)
    return try JSONSerialization.data(
      withJSONObject: [
        "format": "kanora", "version": KanoraModel.newestVersion, "objects": objects,
      ] as [String: Any], options: [.sortedKeys])
  }

  /// Runs work while the context is pinned to one state of the store. A child context reads the state of its parent.
  private func readingOneState<Result>(_ work: () throws -> Result) throws -> Result {
    guard context.parent == nil else { return try work() }
    let former = context.queryGenerationToken
    try context.setQueryGenerationFrom(former ?? .current)
    // Only a child context refuses a query generation.
    defer { try? context.setQueryGenerationFrom(former) }
    return try work()
  }

  private func records() throws -> [String: Any] {
    var objects: [String: Any] = [:]
    for name in ObjectValues.entities {
      let request = NSFetchRequest<NSManagedObject>(entityName: name)
      let prefetched = try entity(name).relationshipsByName.values.filter { !$0.isToMany }
      request.relationshipKeyPathsForPrefetching = prefetched.map(\.name)
      objects[name] = try context.fetch(request).map(record)
        .map { try (Self.key(of: $0), $0) }
        .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }.map(\.1)
    }
    return objects
  }

  /// Returns the sort key of a record within its entity.
  private static func key(of record: [String: Any]) throws -> String {
    if let id = record["id"] as? String { return id }
    let data = try JSONSerialization.data(withJSONObject: record, options: [.sortedKeys])
    return String(decoding: data, as: UTF8.self)
  }

  private func record(_ object: NSManagedObject) -> [String: Any] {
    var record: [String: Any] = [:]
    for name in ObjectValues.names(of: object.entity) {
      record[name] = ObjectValues.json(object.value(forKey: name))
    }
    return record
  }

  // MARK: Reading

  /// Imports a document into the library without saving. Existing objects, found by id, get the document's values; others are created.
  ///
  /// - Returns: The number of created or changed objects.
  /// - Throws: `KanoraError` with code `.badFile`, whose message states the problem; roll back the context in this case.
  public func read(_ data: Data) throws -> Int {
    let object: Any
    do { object = try JSONSerialization.jsonObject(with: data) } catch {
      throw KanoraError(.badFile, "The file is not valid JSON.", underlying: error)
    }
    guard let document = object as? [String: Any], document["format"] as? String == "kanora",
      let objects = document["objects"] as? [String: Any]
    else { throw KanoraError(.badFile, "The file is not an exported Kanora library.") }
    guard (document["version"] as? NSNumber)?.intValue == KanoraModel.newestVersion else {
      throw KanoraError(
        .badFile,
        "The file was written by another version of Kanora. Export the library again with this version."
      )
    }
    if let other = objects.keys.sorted().first(where: { !ObjectValues.entities.contains($0) }) {
      throw KanoraError(
        .badFile, "The file contains objects of the unknown entity “\(other.prefix(40))”.")
    }
    var made: [String: [PathKey: NSManagedObject]] = [:]
    var count = 0
    for name in ObjectValues.entities {
      guard let records = objects[name] else { continue }
      guard let list = records as? [[String: Any]] else {
        throw KanoraError(.badFile, "The value for the entity “\(name)” is not a list of objects.")
      }
      made[name] = try read(list, try entity(name), made)
      try requireUniqueValues(of: try entity(name))
      count += list.count
    }
    try updateDependentValues()
    return count
  }

  /// Updates the totals of albums and the positions in playlists, which can have tracks and items that the document does not contain.
  private func updateDependentValues() throws {
    context.processPendingChanges()
    let albums = NSFetchRequest<Album>(entityName: "Album")
    albums.relationshipKeyPathsForPrefetching = ["tracks"]
    for album in try context.fetch(albums) { album.updateTotals() }
    let playlists = NSFetchRequest<Playlist>(entityName: "Playlist")
    playlists.relationshipKeyPathsForPrefetching = ["items"]
    for playlist in try context.fetch(playlists) { LibraryDesk.renumber(playlist.orderedItems) }
  }

  private func entity(_ name: String) throws -> NSEntityDescription {
    guard let entity = NSEntityDescription.entity(forEntityName: name, in: context) else {
      throw KanoraError(.notOpened, "The library is not open.")
    }
    return entity
  }

  private func read(
    _ records: [[String: Any]], _ entity: NSEntityDescription,
    _ made: [String: [PathKey: NSManagedObject]]
  ) throws -> [PathKey: NSManagedObject] {
    let name = entity.name ?? ""
    let label = entity.attributesByName["id"] != nil ? "id" : name == "BadFile" ? "path" : nil
    var known = try objects(of: entity, by: label)
    let plays = name == "Play" ? try context.fetch(NSFetchRequest<Play>(entityName: "Play")) : []
    var knownPlays = Set(plays.map { Self.playKey($0.date, $0.track) })
    for record in records {
      if let other = record.keys.sorted().first(where: { entity.propertiesByName[$0] == nil }) {
        throw KanoraError(.badFile, "The entity “\(name)” has no property “\(other.prefix(40))”.")
      }
      let key = label.flatMap { record[$0] as? String }.map(PathKey.init)
      if label != nil, key == nil {
        throw KanoraError(
          .badFile, "An object of the entity “\(name)” has no value for “\(label ?? "id")”.")
      }
      let object =
        key.flatMap { known[$0] }
        ?? NSEntityDescription.insertNewObject(forEntityName: name, into: context)
      try set(record, of: object, entity, made)
      if let key { known[key] = object }
      // Plays have no id. Two plays of the same track at the same time are the same play.
      if let play = object as? Play,
        !knownPlays.insert(Self.playKey(play.date, play.track)).inserted
      {
        context.delete(play)
      }
    }
    return known
  }

  /// Rejects conflicts that the store would resolve by replacing one object with the other.
  private func requireUniqueValues(of entity: NSEntityDescription) throws {
    let name = entity.name ?? ""
    let objects = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: name))
    for constraint in entity.uniquenessConstraints.compactMap({ $0 as? [String] }) {
      // The store compares all texts by bytes, as paths are compared.
      var seen: Set<PathKey> = []
      for object in objects where !object.isDeleted {
        let values = constraint.map { "\(object.value(forKey: $0) ?? "")" }
        guard seen.insert(PathKey(values.joined(separator: "\u{0}"))).inserted else {
          throw KanoraError(
            .badFile,
            "Two objects of the entity “\(name)” would have the same \(constraint.joined(separator: ", ")): "
              + values.joined(separator: ", ").prefix(200) + ".")
        }
      }
    }
  }

  private static func playKey(_ date: Date, _ track: Track?) -> String {
    "\(date.timeIntervalSinceReferenceDate) \(track?.id.uuidString ?? "")"
  }

  private func objects(
    of entity: NSEntityDescription, by label: String?
  ) throws -> [PathKey: NSManagedObject] {
    guard let label else { return [:] }
    var objects: [PathKey: NSManagedObject] = [:]
    for object in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity.name ?? ""))
    {
      let value = object.value(forKey: label)
      if let key = (value as? UUID)?.uuidString ?? value as? String {
        objects[PathKey(key)] = object
      }
    }
    return objects
  }

  private func set(
    _ record: [String: Any], of object: NSManagedObject, _ entity: NSEntityDescription,
    _ made: [String: [PathKey: NSManagedObject]]
  ) throws {
    for (name, attribute) in entity.attributesByName {
      let value = try record[name].map { try Self.value($0, attribute, entity) }
      if value == nil, !attribute.isOptional {
        throw KanoraError(
          .badFile, "An object of the entity “\(entity.name ?? "")” has no value for “\(name)”.")
      }
      object.setValue(value, forKey: name)
    }
    for (name, relationship) in entity.relationshipsByName where !relationship.isToMany {
      let id = record[name] as? String
      if record[name] != nil, id == nil {
        throw KanoraError(.badFile, "The value of “\(entity.name ?? "").\(name)” is not an id.")
      }
      let other = id.flatMap { made[relationship.destinationEntity?.name ?? ""]?[PathKey($0)] }
      if let id, other == nil {
        throw KanoraError(
          .badFile,
          "The file contains no object with the id \(id.prefix(40)), to which an object of the entity “\(entity.name ?? "")” refers."
        )
      }
      object.setValue(other, forKey: name)
    }
  }

  private static func value(
    _ json: Any, _ attribute: NSAttributeDescription, _ entity: NSEntityDescription
  ) throws -> Any {
    guard let value = ObjectValues.value(json, of: attribute) else {
      throw KanoraError(
        .badFile, "The value of “\(entity.name ?? "").\(attribute.name)” has the wrong type.")
    }
    if let number = json as? NSNumber, !limits(of: attribute).contains(number.doubleValue) {
      throw KanoraError(
        .badFile,
        "The value \(number) of “\(entity.name ?? "").\(attribute.name)” is out of range.")
    }
    return value
  }

  /// Returns the limits of an attribute's numbers, or of its dates in seconds. No limits include infinity.
  private static func limits(of attribute: NSAttributeDescription) -> ClosedRange<Double> {
    let largest = Double.greatestFiniteMagnitude
    if attribute.attributeType == .dateAttributeType { return -1e12...1e12 }
    return switch attribute.name {
    case "rating": 0...5
    case "duration": Track.durations
    case "fileSize": 0...1e15
    case "playCount", "trackCount", "totalDuration", "bitrate", "sampleRate", "channels":
      0...largest
    default: -largest...largest
    }
  }
}

extension LibraryDesk {
  /// Imports a library document into this library, as one undo step.
  ///
  /// - Returns: The number of created or changed objects.
  /// - Throws: `KanoraError` with code `.badFile`; any error the save throws. Nothing is then changed.
  @discardableResult
  public func importDocument(_ data: Data) async throws -> Int {
    try await perform("Import Library") { try LibraryDocument(in: $0).read(data) }
  }
}
