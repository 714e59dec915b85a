import Foundation
import OpenCoreData

/// Stores of items with a number, a unique code, and a text; and of lines of text.
enum CodedItems {
  static func model() -> NSManagedObjectModel {
    let item = NSEntityDescription()
    item.name = "Item"
    item.properties = [
      attribute("number", .integer64), attribute("code", .string), attribute("text", .string),
    ]
    item.uniquenessConstraints = [["code"]]
    let line = NSEntityDescription()
    line.name = "Line"
    line.properties = [attribute("text", .string)]
    let model = NSManagedObjectModel()
    model.entities = [item, line]
    return model
  }

  /// Opens the store in a file with settings of SQLite.
  static func container(
    _ file: URL, pragmas: KeyValuePairs<String, Int> = [:]
  ) throws -> NSPersistentContainer {
    let store = NSPersistentStoreDescription(url: file)
    for (name, value) in pragmas { store.setValue("\(value)" as NSString, forPragmaNamed: name) }
    return try .loaded("Items", model(), [store])
  }

  /// The texts of all items by their numbers.
  static func texts(in context: NSManagedObjectContext) throws -> [Int: String] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    return Dictionary(
      try context.fetch(request).map { item in
        (item.value(forKey: "number") as? Int ?? -1, item.value(forKey: "text") as? String ?? "")
      }, uniquingKeysWith: { $0 + " and " + $1 })
  }

  /// Runs work with the URL of a store, which is deleted afterward.
  static func inFolder<Result>(_ work: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // If the folder cannot be removed, the system deletes it later.
    defer { try? FileManager.default.removeItem(at: folder) }
    return try work(folder)
  }
}
