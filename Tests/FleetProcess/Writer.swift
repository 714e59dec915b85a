import Foundation
import OpenCoreData

/// Moves money between accounts and entries, and labels accounts; the sum stays the same.
struct Writer {
  private let context: NSManagedObjectContext
  private var random: Random

  private struct Random: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  init(_ context: NSManagedObjectContext, seed: UInt64) {
    self.context = context
    random = Random(state: seed &* 0x9E37_79B9_7F4A_7C15)
  }

  /// Saves so many operations.
  ///
  /// - Returns: How many times an account was changed.
  mutating func run(_ count: Int) throws -> Int {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Account")
    request.resultType = .managedObjectIDResultType
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    let accounts = try reaching { try context.fetch(request) }
    var changes = 0
    for _ in 0..<count {
      let kind = Int.random(in: 0..<5, using: &random)
      let one = accounts[Int.random(in: 0..<accounts.count, using: &random)]
      let other = accounts[Int.random(in: 0..<accounts.count, using: &random)]
      let amount = Int64.random(in: 1...9, using: &random)
      changes += try repeating { try change(kind, one, other, amount) }
    }
    return changes
  }

  /// Does work and saves, and retries while another process was faster or the server cannot be
  /// reached.
  private func repeating(_ work: () throws -> Int) throws -> Int {
    while true {
      context.reset()
      context.mergePolicy = NSMergePolicy.error
      do {
        let changes = try work()
        try context.save()
        return changes
      } catch let error as CocoaError where error.code.rawValue == NSManagedObjectMergeError {
        continue
      } catch let error as CocoaError
        where [1550, 133_000, 133_010, 133_020].contains(error.code.rawValue)
      {
        // Another process deleted the entry.
        continue
      } catch let error where isOutcomeUnknown(error) {
        // Repeating the operation could change the accounts twice. Without it, the sums are correct.
        return 0
      } catch let error where isUnreachable(error) {
        waitForServer()
      }
    }
  }

  /// - Returns: How many accounts are changed.
  private func change(
    _ kind: Int, _ one: NSManagedObjectID, _ other: NSManagedObjectID, _ amount: Int64
  ) throws -> Int {
    switch kind {
    case 0:
      try book(0, on: one)
      return 1
    case 1 where one != other:
      try book(-amount, on: one)
      try book(amount, on: other)
      return 2
    case 4:
      // The save keeps the balance that another process saves at the same time.
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.existingObject(with: one).setValue(amount, forKey: "label")
      return 0
    case 2:
      let entry = NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context)
      entry.setValue(amount, forKey: "amount")
      entry.setValue(try book(-amount, on: one), forKey: "account")
      return 1
    default:
      let request = NSFetchRequest<NSManagedObject>(entityName: "Entry")
      request.predicate = NSPredicate(format: "account == %@", one)
      request.fetchLimit = 1
      guard let entry = try context.fetch(request).first else { return 0 }
      try book(entry.value(forKey: "amount") as? Int64 ?? 0, on: one)
      context.delete(entry)
      return 1
    }
  }

  @discardableResult
  private func book(_ amount: Int64, on id: NSManagedObjectID) throws -> NSManagedObject {
    let account = try context.existingObject(with: id)
    let balance = account.value(forKey: "balance") as? Int64 ?? 0
    let changes = account.value(forKey: "changes") as? Int64 ?? 0
    account.setValue(balance + amount, forKey: "balance")
    account.setValue(changes + 1, forKey: "changes")
    return account
  }
}
