import Foundation
import OpenCoreData
import ProcessModel

/// Work of several concurrent processes on one store that preserves the sums in the tests.
final class Workload {
  private let context: NSManagedObjectContext
  private var numbers: SeededRandom
  private var done: [String: Int] = [:]

  private struct Starved: Error {}

  init(context: NSManagedObjectContext, seed: Int) {
    self.context = context
    numbers = SeededRandom(seed: UInt64(truncatingIfNeeded: seed))
  }

  /// Carries operations out.
  ///
  /// - Returns: What was done how often.
  func run(_ count: Int) throws -> String {
    for key in ["counted", "inserted", "deleted", "batches", "conflicts", "saves"] { done[key] = 0 }
    var slowest = Duration.zero
    for _ in 0..<count {
      slowest = max(slowest, try ContinuousClock().measure { try operate() })
    }
    done["slowest"] = Int(slowest / .milliseconds(1))
    return "done " + done.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: " ")
  }

  /// Carries one operation out.
  private func operate() throws {
    switch Int.random(in: 0..<10, using: &numbers) {
    case 0..<3: try transfer()
    case 3..<5: try increment()
    case 5..<7: try insert()
    case 7..<9: try delete()
    default: try update()
    }
  }

  private func note(_ key: String) { done[key, default: 0] += 1 }

  /// Repeats work from its fetches if another process was faster.
  private func saving(_ work: (NSManagedObjectContext) throws -> Bool) throws -> Bool {
    for _ in 0..<1000 {
      do {
        return try context.performAndWait {
          defer { context.reset() }
          guard try work(context) else { return false }
          try context.save()
          note("saves")
          return true
        }
      } catch let error as CocoaError where Self.isLost(error) {
        note("conflicts")
      }
    }
    throw Starved()
  }

  private static func isLost(_ error: CocoaError) -> Bool {
    [NSManagedObjectMergeError, NSPersistentStoreTimeoutError].contains(error.errorCode)
  }

  private func objects(
    _ entity: String, sortedBy key: String? = nil, limit: Int = 0
  ) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    if let key { request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)] }
    request.fetchLimit = limit
    return try context.fetch(request)
  }

  private func add(_ amount: Int, to key: String, of object: NSManagedObject) {
    object.setValue((object.value(forKey: key) as? Int ?? 0) + amount, forKey: key)
  }

  // MARK: Operations

  /// Moves an amount from one account to another.
  private func transfer() throws {
    let amount = Int.random(in: 1...9, using: &numbers)
    let one = Int.random(in: 0..<4, using: &numbers)
    let other = Int.random(in: 1..<4, using: &numbers)
    _ = try saving { _ in
      let accounts = try objects("Account", sortedBy: "number")
      add(-amount, to: "balance", of: accounts[one % accounts.count])
      add(amount, to: "balance", of: accounts[(one + other) % accounts.count])
      return true
    }
  }

  private func increment() throws {
    let isDone = try saving { _ in
      guard let counter = try objects("Counter").first else { return false }
      add(1, to: "value", of: counter)
      return true
    }
    if isDone { note("counted") }
  }

  private func insert() throws {
    _ = try saving { context in
      let entry = NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context)
      entry.setValue(1, forKey: "amount")
      entry.setValue(try objects("Counter").first, forKey: "counter")
      return true
    }
    note("inserted")
  }

  /// Deletes the oldest entry, which another process may do at the same time.
  private func delete() throws {
    let isDone = try saving { context in
      guard let entry = try objects("Entry", limit: 1).first else { return false }
      context.delete(entry)
      return true
    }
    if isDone { note("deleted") }
  }

  /// Adds one to all tallies by a batch request.
  private func update() throws {
    let request = NSBatchUpdateRequest(entityName: "Tally")
    request.propertiesToUpdate = ["value": NSExpression(format: "value + 1")]
    try context.performAndWait { _ = try context.execute(request) }
    note("batches")
    note("saves")
  }
}
