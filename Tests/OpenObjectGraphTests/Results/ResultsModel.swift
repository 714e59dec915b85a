import Foundation
import OpenCoreData
import OpenManagedMacros

@ManagedObject
final class ResultsFolder: NSManagedObject {
  @Managed var index: Int32
  @Managed var entries: NSSet?
}

@ManagedObject
class ResultsEntry: NSManagedObject {
  @Managed var serial: Int64
  @Managed var rank: Int32
  @Managed var section: String?
  @Managed var isShown: Bool
  @Managed var folder: ResultsFolder?
}

@ManagedObject
final class ResultsSpecialEntry: ResultsEntry {
}

/// Entries with a section, a rank and a mark, in folders, and a store of them.
final class ResultsStack {
  static let stores = [NSSQLiteStoreType, NSInMemoryStoreType] + ServedStores.types

  let container: NSPersistentContainer
  let context: NSManagedObjectContext
  let log = StatementLog()
  private var nextSerial: Int64 = 0

  init(_ storeType: String = NSSQLiteStoreType, mainQueue: Bool = false) throws {
    let description = NSPersistentStoreDescription(type: storeType)
    if storeType == NSSQLiteStoreType {
      description.setOption(log.observer, forKey: OpenStatementObserverOption)
    }
    try ServedStores.place(description, ofType: storeType)
    container = try .loaded("Results", Self.makeModel(), [description])
    context = mainQueue ? container.viewContext : container.newBackgroundContext()
  }

  static func makeModel() -> NSManagedObjectModel {
    let folder = entity("ResultsFolder", [("index", .integer32)])
    let entry = entity(
      "ResultsEntry",
      [
        ("serial", .integer64), ("rank", .integer32), ("section", .string), ("isShown", .boolean),
      ])
    let special = entity("ResultsSpecialEntry", [])
    let owner = NSRelationshipDescription()
    owner.name = "folder"
    owner.maxCount = 1
    owner.destinationEntity = folder
    let entries = NSRelationshipDescription()
    entries.name = "entries"
    entries.destinationEntity = entry
    owner.inverseRelationship = entries
    entries.inverseRelationship = owner
    entry.properties += [owner]
    folder.properties += [entries]
    entry.subentities = [special]
    let model = NSManagedObjectModel()
    model.entities = [folder, entry, special]
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
      if type != .string { attribute.defaultValue = NSNumber(value: 0) }
      return attribute
    }
    return entity
  }

  /// Inserts an entry with the next serial number.
  @discardableResult
  func insert(
    _ rank: Int, section: String? = nil, shown: Bool = true,
    in context: NSManagedObjectContext? = nil
  ) -> ResultsEntry {
    let entry = ResultsEntry(context: context ?? self.context)
    nextSerial += 1
    entry.serial = nextSerial
    entry.rank = Int32(rank)
    entry.section = section
    entry.isShown = shown
    return entry
  }

  /// Saves entries with ranks 10, 20, … in sections of a size, and releases them.
  func seed(_ count: Int, perSection: Int = .max) throws {
    let writer = container.newBackgroundContext()
    try writer.performAndWait {
      for number in 0..<count {
        let letter = Character(UnicodeScalar(UInt8(97 + min(25, number / perSection))))
        insert((number + 1) * 10, section: String(letter), in: writer)
      }
      try writer.save()
    }
  }

  /// A request for visible entries, optionally by section, sorted by rank and serial number.
  static func request(sections: Bool = false) -> NSFetchRequest<ResultsEntry> {
    let request = NSFetchRequest<ResultsEntry>(entityName: "ResultsEntry")
    request.predicate = NSPredicate(format: "isShown == YES")
    request.sortDescriptors =
      (sections ? ["section"] : []).map { NSSortDescriptor(key: $0, ascending: true) }
      + ["rank", "serial"].map { NSSortDescriptor(key: $0, ascending: true) }
    return request
  }

  /// A controller for ``request(sections:)``.
  func controller(
    sections: Bool = false, in context: NSManagedObjectContext? = nil, cache: String? = nil,
    _ adjust: (NSFetchRequest<ResultsEntry>) -> Void = { _ in }
  ) -> NSFetchedResultsController<ResultsEntry> {
    let request = Self.request(sections: sections)
    adjust(request)
    return NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context ?? self.context,
      sectionNameKeyPath: sections ? "section" : nil, cacheName: cache)
  }

  /// A fetched controller with a recorder as its delegate.
  func followed(
    sections: Bool = false, in context: NSManagedObjectContext? = nil,
    _ adjust: (NSFetchRequest<ResultsEntry>) -> Void = { _ in }
  ) throws -> (NSFetchedResultsController<ResultsEntry>, ResultsRecorder) {
    let controller = controller(sections: sections, in: context, adjust)
    let recorder = ResultsRecorder()
    controller.delegate = recorder
    try controller.performFetch()
    recorder.mirror(controller)
    return (controller, recorder)
  }
}

extension NSFetchedResultsController where ResultType == ResultsEntry {
  /// Returns the entry with a rank.
  func entry(_ rank: Int) -> ResultsEntry? {
    fetchedObjects?.first { $0.rank == Int32(rank) }
  }

  var ranks: [Int32] { (fetchedObjects ?? []).map(\.rank) }

  /// Names and ranks of the sections.
  var content: [String] {
    (sections ?? []).map { section in
      "\(section.name): "
        + (section.objects ?? []).compactMap { ($0 as? ResultsEntry)?.rank.description }
        .joined(separator: " ")
    }
  }
}

extension SeededNumbers {
  /// The name of a section, or nil for an entry without one.
  var section: String? {
    mutating get {
      let number = below(12)
      return number == 0 ? nil : String(UnicodeScalar(UInt8(96 + number)))
    }
  }
}
