import COpenSQLite
import Foundation
import OpenCoreData
import OpenManagedMacros
import OpenObjectGraph

/// Things with an attribute of each type.
@ManagedObject
final class HostileThing: NSManagedObject {
  @Managed var small: Int16
  @Managed var middle: Int32
  @Managed var large: Int64
  @Managed var real: Double
  @Managed var single: Float
  @Managed var amount: Decimal?
  @Managed var moment: Date?
  @Managed var flag: Bool
  /// A 64-bit attribute that the class declares with 16 bits.
  @Managed("narrow") var narrow: Int16
  @Managed var blob: NSObject?
  @Managed var text: String?
}

/// An object that encodes and decodes itself.
final class CodedCover: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  let title: String
  let pages: Int
  let weight: Double
  var next: CodedCover?

  init(_ title: String, pages: Int, weight: Double = 0.5, next: CodedCover? = nil) {
    (self.title, self.pages, self.weight, self.next) = (title, pages, weight, next)
  }

  init?(coder: NSCoder) {
    guard let title = coder.decodeObject(of: NSString.self, forKey: "title") as String? else {
      return nil
    }
    self.title = title
    pages = coder.decodeInteger(forKey: "pages")
    weight = coder.decodeDouble(forKey: "weight")
    next = coder.decodeObject(of: CodedCover.self, forKey: "next")
  }

  func encode(with coder: NSCoder) {
    coder.encode(title, forKey: "title")
    coder.encode(pages, forKey: "pages")
    coder.encode(weight, forKey: "weight")
    coder.encode(next, forKey: "next")
  }
}

/// An object that encodes itself and never decodes.
final class MuteCover: NSObject, NSCoding {
  override init() {}
  init?(coder: NSCoder) { nil }
  func encode(with coder: NSCoder) { coder.encode(1, forKey: "one") }
}

/// A store of things, and a second coordinator that reads the written values.
final class ThingStack {
  static let keys = [
    "small", "middle", "large", "narrow", "amount", "real", "single", "text", "flag", "moment",
    "bytes", "code", "link", "blob",
  ]

  let type: String
  let model: NSManagedObjectModel
  let coordinator: NSPersistentStoreCoordinator
  private let folder: URL
  private var file: URL { folder.appendingPathComponent("things") }

  init(_ type: String, _ change: (NSEntityDescription) -> Void = { _ in }) throws {
    self.type = type
    model = Self.model(change)
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("things-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: type == NSInMemoryStoreType ? nil : file)
  }

  deinit {
    // If the folder cannot be removed, the system deletes it later.
    try? FileManager.default.removeItem(at: folder)
  }

  static func model(_ change: (NSEntityDescription) -> Void = { _ in }) -> NSManagedObjectModel {
    let thing = NSEntityDescription()
    thing.name = "Thing"
    thing.managedObjectClassName = "HostileThing"
    let cover = attribute("cover", .transformable)
    cover.attributeValueClassName = "CodedCover"
    let mute = attribute("mute", .transformable)
    mute.attributeValueClassName = "MuteCover"
    let passing = attribute("passing", .integer16)
    passing.isTransient = true
    thing.properties = [
      attribute("small", .integer16), attribute("middle", .integer32),
      attribute("large", .integer64), attribute("narrow", .integer64),
      attribute("amount", .decimal), attribute("real", .double), attribute("single", .float),
      attribute("text", .string), attribute("flag", .boolean), attribute("moment", .date),
      attribute("bytes", .binaryData), attribute("code", .uuid), attribute("link", .uri),
      attribute("blob", .transformable), cover, mute, passing,
    ]
    change(thing)
    let model = NSManagedObjectModel()
    model.entities = [thing]
    return model
  }

  func makeContext() -> NSManagedObjectContext { Self.context(of: coordinator) }

  /// Runs work on the queue of a new context; the store's file remains until the work ends.
  func run<Result>(_ work: (NSManagedObjectContext) throws -> Result) throws -> Result {
    let context = makeContext()
    return try context.performAndWait { () throws -> Result in try work(context) }
  }

  private static func context(
    of coordinator: NSPersistentStoreCoordinator
  ) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  /// Runs SQL on a separate connection to the store's file.
  func execute(_ sql: String) throws {
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    guard sqlite3_open(file.path, &database) == SQLITE_OK,
      sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK
    else { throw CocoaError(.fileReadUnknown) }
  }

  /// A context that shares no rows with the first one, optionally with another model.
  func reader(_ model: NSManagedObjectModel? = nil) throws -> NSManagedObjectContext {
    guard type != NSInMemoryStoreType else { return makeContext() }
    let second = NSPersistentStoreCoordinator(managedObjectModel: model ?? self.model)
    try second.addPersistentStore(
      ofType: type, configurationName: nil, at: file,
      options: [NSIgnorePersistentStoreVersioningOption: true as NSNumber])
    return Self.context(of: second)
  }

  /// Reads a value of the only thing in another context, and deletes the thing.
  func takeValue(_ key: String) throws -> Any? {
    let context = try reader()
    return try context.performAndWait {
      let things = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
      let value = things.first?.value(forKey: key)
      // A value that cannot be read prevents the context from saving.
      context.rollback()
      for thing in things { context.delete(thing) }
      try context.save()
      return value
    }
  }
}
