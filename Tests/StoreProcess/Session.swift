import CrashRecorder
import Foundation
import OpenCoreData
import OpenPersistenceKit
import ProcessModel

/// Carries out commands on one store.
final class Session {
  private let author = "process \(ProcessInfo.processInfo.processIdentifier)"
  private var coordinator: NSPersistentStoreCoordinator?
  private var context: NSManagedObjectContext?
  private var news: NewsFromOthers?
  private let writer = ForeignWriter()

  private struct Misuse: Error {}

  /// Executes a command; errors are also answers.
  func answer(to words: [String]) -> String {
    do { return try run(words.first ?? "", Array(words.dropFirst())) } catch {
      return Answer.text(of: error)
    }
  }

  private func run(_ command: String, _ words: [String]) throws -> String {
    switch command {
    case "open": return try open(words)
    case "close": return try close()
    case "work":
      return try Workload(context: opened(), seed: number(words, 0)).run(number(words, 1))
    case "await": return try opened(news).waitFor(number(words, 0))
    case "save": return try save()
    case "stream": try Stream(context: opened(), number: number(words, 0)).run()
    case "limit": return FileSizeLimit.set(try number(words, 0))
    case "descriptors": return try saveWithOneDescriptor(words)
    case "fill": return try fill(number(words, 0))
    case "retry": return try retry()
    case "fault": return try fault(words)
    case "migrate": return try migrate(words)
    case "rollback": return try migration(of: words).rollBack()
    case "destroy": return try destroy(words)
    case "backup": return try backups(words).make().url.lastPathComponent
    case "backups": return try keepBackingUp(words)
    case "restore": return try keepRestoring(words)
    case "lock", "unlock": return try writer.run(command, words)
    default: throw Misuse()
    }
  }

  private func number(_ words: [String], _ index: Int) throws -> Int {
    guard words.indices.contains(index), let number = Int(words[index]) else { throw Misuse() }
    return number
  }

  private func opened() throws -> NSManagedObjectContext { try opened(context) }

  private func opened<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw Misuse() }
    return value
  }

  private func open(_ words: [String]) throws -> String {
    guard let path = words.first else { throw Misuse() }
    var options: [AnyHashable: Any] = [:]
    if words.count > 1 {
      options[NSPersistentStoreTimeoutOption] = try number(words, 1) as NSNumber
    }
    let coordinator = try ProcessModel.open(URL(fileURLWithPath: path), options: options)
    self.coordinator = coordinator
    context = ProcessModel.context(coordinator, author: author)
    news = NewsFromOthers(coordinator, author: author)
    return "open"
  }

  private func close() throws -> String {
    let coordinator = try opened(coordinator)
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    (self.coordinator, context, news) = (nil, nil, nil)
    return "closed"
  }

  private func save() throws -> String {
    let context = try opened()
    try context.performAndWait {
      let entry = NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context)
      entry.setValue(1, forKey: "amount")
      try context.save()
    }
    return "saved \(ProcessModel.nanoseconds)"
  }

  // MARK: A full disk, and limits of the process

  /// Saves an XML store while the process can open only one more file.
  private func saveWithOneDescriptor(_ words: [String]) throws -> String {
    guard let path = words.first else { throw Misuse() }
    return try DescriptorLimit.save(storeAt: URL(fileURLWithPath: path))
  }

  private func fill(_ count: Int) throws -> String {
    let context = try opened()
    context.performAndWait {
      for number in 0..<count {
        let entry = NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context)
        entry.setValue(number, forKey: "amount")
        entry.setValue(String(repeating: "x", count: 1000), forKey: "note")
      }
    }
    return try retry()
  }

  private func retry() throws -> String {
    let context = try opened()
    return context.performAndWait {
      let outcome: String
      do {
        try context.save()
        outcome = "saved 0"
      } catch {
        outcome = Answer.text(of: error)
      }
      return "\(context.insertedObjects.count) \(outcome)"
    }
  }

  // MARK: Migrations

  private func migration(of words: [String]) throws -> MigrationWork {
    guard let path = words.first else { throw Misuse() }
    return MigrationWork(URL(fileURLWithPath: path))
  }

  private func migrate(_ words: [String]) throws -> String {
    guard words.count == 2, let kind = MigrationWork.Kind(rawValue: words[1]) else {
      throw Misuse()
    }
    try migration(of: words).run(kind)
    return "migrated"
  }

  /// Lets the operations on a folder's files be counted, or fail: `fault FOLDER kill|full|count NUMBER`, and `fault end`.
  private func fault(_ words: [String]) throws -> String {
    if words == ["end"] { return "\(crash_fault_end())" }
    let letters: [String: Unicode.Scalar] = ["kill": "K", "full": "F", "count": "C"]
    guard words.count == 3, let letter = letters[words[1]] else { throw Misuse() }
    crash_fault(words[0], CChar(letter.value), Int64(try number(words, 2)))
    return "set"
  }

  private func destroy(_ words: [String]) throws -> String {
    guard let path = words.first else { throw Misuse() }
    try NSPersistentStoreCoordinator(managedObjectModel: ProcessModel.make())
      .destroyPersistentStore(
        at: URL(fileURLWithPath: path), type: .sqlite,
        options: [
          NSPersistentStoreForceDestroyOption: (words.last == "force") as NSNumber,
          NSPersistentStoreTimeoutOption: 0.05 as NSNumber,
        ])
    return "destroyed"
  }

  // MARK: Backups

  private func backups(_ words: [String]) throws -> StoreBackups {
    guard let path = words.first else { throw Misuse() }
    return StoreBackups(ofStoreAt: URL(fileURLWithPath: path))
  }

  /// Makes backups until the process is killed.
  private func keepBackingUp(_ words: [String]) throws -> String {
    let backups = try backups(words)
    while true {
      _ = try backups.make(keeping: 3)
      Answer.write("made")
    }
  }

  /// Restores all backups in turn until the process is killed.
  private func keepRestoring(_ words: [String]) throws -> String {
    let backups = try backups(words)
    let all = try backups.list()
    while !all.isEmpty {
      for backup in all {
        try backups.restore(backup)
        Answer.write("restored")
      }
    }
    throw Misuse()
  }
}
