import Foundation
import OpenCoreData
import OpenPersistenceKit
import ProcessModel

/// A store in a separate folder that this process and other processes use.
final class SharedStore {
  let folder: URL
  var url: URL { folder.appendingPathComponent("shared.sqlite") }

  init(in parent: URL = FileManager.default.temporaryDirectory) throws {
    folder = parent.appendingPathComponent("processes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    // If the folder cannot be removed, the system deletes it later.
    try? FileManager.default.removeItem(at: folder)
  }

  /// Everything in the folder, in order.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  func open(_ options: [AnyHashable: Any] = [:]) throws -> NSPersistentStoreCoordinator {
    try ProcessModel.open(url, options: options)
  }

  func close(_ coordinator: NSPersistentStoreCoordinator) throws {
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  /// Runs work with the store open, then closes it.
  func opened<Result>(
    _ options: [AnyHashable: Any] = [:], _ work: (NSPersistentStoreCoordinator) throws -> Result
  ) throws -> Result {
    let coordinator = try open(options)
    defer { try? close(coordinator) }  // Closing does not fail.
    return try work(coordinator)
  }

  /// Starts a process that has the store open.
  func startProcess(_ timeout: Int? = nil) throws -> ChildProcess {
    let process = try ChildProcess()
    let words = ["open", url.path] + (timeout.map { ["\($0)"] } ?? [])
    let answer = try process.ask(words.joined(separator: " "))
    guard answer == "open" else { throw ChildProcess.Failure(description: answer) }
    return process
  }

  /// Inserts objects with a number each.
  func insert(_ entity: String, _ key: String, _ numbers: [Int]) throws {
    try opened { coordinator in
      let context = ProcessModel.context(coordinator, author: "test")
      try context.performAndWait {
        for number in numbers {
          NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            .setValue(number, forKey: key)
        }
        try context.save()
      }
    }
  }

  /// Inserts and saves an object.
  static func insert(
    _ entity: String, _ values: [String: Any] = [:], in context: NSManagedObjectContext
  ) throws {
    try context.performAndWait {
      let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
      for (key, value) in values { object.setValue(value, forKey: key) }
      try context.save()
    }
  }

  /// The numbers that all objects of an entity have under a key.
  func numbers(_ entity: String, _ key: String) throws -> [Int] {
    try opened { try Self.numbers(entity, key, in: $0) }
  }

  static func numbers(
    _ entity: String, _ key: String, in coordinator: NSPersistentStoreCoordinator
  ) throws -> [Int] {
    let context = ProcessModel.context(coordinator, author: "test")
    return try context.performAndWait {
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
        .compactMap { $0.value(forKey: key) as? Int }
    }
  }

  /// The findings of the integrity check, which are empty for an intact store.
  func findings() throws -> [String] {
    try opened { try IntegrityCheck().findings(in: $0).map(\.message) }
  }
}
