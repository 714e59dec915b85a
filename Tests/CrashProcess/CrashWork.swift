import CrashRecorder
import Foundation
import OpenCoreData
import ProcessModel

/// Saves to a store with history: inserts, replaces and deletes values in separate files.
final class CrashWork {
  private let store: URL
  private let synchronous: String
  private var random: SeededRandom
  private var coordinator: NSPersistentStoreCoordinator?
  private var context: NSManagedObjectContext?
  /// Pins an older state, which keeps the files and the log.
  private var reader: NSManagedObjectContext?
  /// The stamps of the items that are saved.
  private var stamps: [Int: Int] = [:]
  private var last = 0

  private struct Missing: Error {}

  init(store: URL, synchronous: String, seed: UInt64) {
    self.store = store
    self.synchronous = synchronous
    random = SeededRandom(seed: seed)
  }

  func run(_ saves: Int) throws {
    try open()
    for _ in 0..<saves {
      try save()
      try pause()
    }
    try close()
  }

  private func open() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CrashModel.make())
    let pragmas = ["synchronous": synchronous, "wal_autocheckpoint": "25"]
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: store,
      options: [NSPersistentHistoryTrackingKey: true as NSNumber, NSSQLitePragmasOption: pragmas])
    self.coordinator = coordinator
    context = ProcessModel.context(coordinator, author: "crash")
  }

  private func close() throws {
    (context, reader) = (nil, nil)
    guard let coordinator else { throw Missing() }
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    self.coordinator = nil
  }

  // MARK: Saves

  private func save() throws {
    guard let context else { throw Missing() }
    try context.performAndWait {
      for _ in 0..<Int.random(in: 1...3, using: &random) { try change(in: context) }
      try count(in: context)
      try context.save()
      if Bool.random(using: &random) { context.reset() }
    }
    crash_mark(CrashModel.text(of: stamps))
  }

  /// Inserts an item, or replaces the value of one, or deletes it.
  private func change(in context: NSManagedObjectContext) throws {
    let step = Int.random(in: 0..<10, using: &random)
    if stamps.count < 3 || step < 3 {
      let number = (stamps.keys.max() ?? 0) + 1
      let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
      item.setValue(number, forKey: "number")
      stamp(item, number)
      return
    }
    let number = stamps.keys.sorted()[Int.random(in: 0..<stamps.count, using: &random)]
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.predicate = NSPredicate(format: "number == %d", argumentArray: [number])
    guard let item = try context.fetch(request).first else { throw Missing() }
    if step < 5 || stamps.count > 12 {
      context.delete(item)
      stamps[number] = nil
    } else {
      stamp(item, number)
    }
  }

  private func stamp(_ item: NSManagedObject, _ number: Int) {
    last += 1
    stamps[number] = last
    item.setValue(last, forKey: "stamp")
    item.setValue(CrashModel.value(of: last), forKey: "value")
  }

  private func count(in context: NSManagedObjectContext) throws {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Counter")
    let counter =
      try context.fetch(request).first
      ?? NSEntityDescription.insertNewObject(forEntityName: "Counter", into: context)
    let value = counter.value(forKey: "value") as? Int ?? 0
    counter.setValue(value + 1, forKey: "value")
  }

  // MARK: Between saves

  /// Pins or releases a state, checkpoints the log, or closes and reopens the store.
  private func pause() throws {
    guard let coordinator else { throw Missing() }
    switch Int.random(in: 0..<16, using: &random) {
    case 0:
      let reader = ProcessModel.context(coordinator, author: "reader")
      try reader.performAndWait {
        try reader.setQueryGenerationFrom(.current)
        _ = try reader.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item"))
      }
      self.reader = reader
    case 1, 2: reader = nil
    case 3: _ = try coordinator.checkpoint(.passive)
    case 4 where reader == nil: _ = try coordinator.checkpoint(.emptyingLog)
    case 5:
      try close()
      try open()
    default: return
    }
  }
}
