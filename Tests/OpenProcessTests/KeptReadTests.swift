import Foundation
import OpenCoreData
import ProcessModel
import Testing

/// Readers in constant use keep their transaction; the only visible effect is the shorter time.
@Suite("Consecutive reads", .serialized)
struct KeptReadTests {
  /// More reads than a reader needs to keep its transaction.
  private static let readCount = 10

  private func count(_ name: String, in context: NSManagedObjectContext) throws -> Int {
    try context.performAndWait {
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: name))
    }
  }

  /// Reads often; every read must find the same value.
  private func expectSteady(
    _ expected: Int, _ name: String, in context: NSManagedObjectContext
  ) throws {
    for _ in 0..<Self.readCount { #expect(try count(name, in: context) == expected) }
  }

  /// Runs work with a store opened twice, and a context of each coordinator.
  private func openedTwice(
    _ options: [AnyHashable: Any] = [:],
    _ work: (_ reader: NSManagedObjectContext, _ foreign: NSManagedObjectContext) throws -> Void
  ) throws {
    let store = try SharedStore()
    try store.opened(options) { coordinator in
      try store.opened(options) { other in
        try work(
          ProcessModel.context(coordinator, author: "reader"),
          ProcessModel.context(other, author: "foreign"))
      }
    }
  }

  @Test("see the saves of this process, another coordinator and another process at once")
  func others() throws {
    let store = try SharedStore()
    let process = try store.startProcess()
    try store.opened { coordinator in
      let reader = ProcessModel.context(coordinator, author: "reader")
      let writer = ProcessModel.context(coordinator, author: "writer")
      try store.opened { other in
        let foreign = ProcessModel.context(other, author: "foreign")
        for round in 0..<5 {
          try expectSteady(3 * round, "Entry", in: reader)
          try SharedStore.insert("Entry", in: writer)
          try expectSteady(3 * round + 1, "Entry", in: reader)
          try SharedStore.insert("Entry", in: foreign)
          try expectSteady(3 * round + 2, "Entry", in: reader)
          #expect(try process.ask("save").hasPrefix("saved"))
          try expectSteady(3 * round + 3, "Entry", in: reader)
          try expectSteady(3 * round + 3, "Entry", in: foreign)
        }
      }
    }
  }

  @Test("see a single save after each read")
  func alternating() throws {
    try openedTwice { reader, foreign in
      try expectSteady(0, "Tally", in: reader)
      for round in 1...20 {
        try SharedStore.insert("Tally", in: foreign)
        #expect(try count("Tally", in: reader) == round)
      }
    }
  }

  @Test("do not prevent other connections from writing a file without a log")
  func withoutLog() throws {
    let options: [AnyHashable: Any] = [
      NSSQLitePragmasOption: ["journal_mode": "DELETE"],
      NSPersistentStoreTimeoutOption: 0.001 as NSNumber,
      // A store that tracks other processes' commits reads after each commit, so commits would wait.
      NSPersistentHistoryTrackingKey: false as NSNumber,
      NSPersistentStoreRemoteChangeNotificationPostOptionKey: false as NSNumber,
    ]
    try openedTwice(options) { reader, foreign in
      for round in 0..<5 {
        try expectSteady(round, "Tally", in: reader)
        try SharedStore.insert("Tally", in: foreign)
      }
    }
  }

  @Test("do not prevent this process from emptying the log, without waiting")
  func ownCheckpoint() throws {
    let store = try SharedStore()
    let options = [NSPersistentStoreTimeoutOption: 0.001 as NSNumber]
    try store.opened(options) { coordinator in
      let context = ProcessModel.context(coordinator, author: "test")
      for round in 1...5 {
        try SharedStore.insert("Tally", in: context)
        try expectSteady(round, "Tally", in: context)
        #expect(try coordinator.checkpoint(.emptyingLog).isComplete)
        try expectSteady(round, "Tally", in: context)
      }
    }
  }

  @Test("allow other processes to empty the log a moment later")
  func othersCheckpoint() throws {
    try openedTwice { reader, foreign in
      let other = try #require(foreign.persistentStoreCoordinator)
      for round in 1...3 {
        try expectSteady(round - 1, "Tally", in: reader)
        try SharedStore.insert("Tally", in: foreign)
        #expect(try other.checkpoint(.emptyingLog).isComplete)
        try expectSteady(round, "Tally", in: reader)
      }
    }
  }

  @Test("do not let the log grow while there are saves between them")
  func logSize() throws {
    let store = try SharedStore()
    try store.opened { coordinator in
      let context = ProcessModel.context(coordinator, author: "test")
      let note = String(repeating: "n", count: 1 << 20)
      for round in 1...24 {
        try SharedStore.insert("Entry", ["note": note], in: context)
        try expectSteady(round, "Entry", in: context)
      }
      let log = try FileManager.default.attributesOfItem(atPath: store.url.path + "-wal")
      // SQLite restarts the log at 1,000 pages of 4 KB; all saves together write six times as much.
      #expect(try #require(log[.size] as? NSNumber).intValue < 8 << 20)
    }
  }

  @Test("do not prevent removing and destroying a store between them")
  func removing() throws {
    let store = try SharedStore()
    try store.opened { coordinator in
      let context = ProcessModel.context(coordinator, author: "test")
      try SharedStore.insert("Tally", in: context)
      try context.performAndWait {
        try expectSteady(1, "Tally", in: context)
        for opened in coordinator.persistentStores { try coordinator.remove(opened) }
        try coordinator.destroyPersistentStore(
          at: store.url, ofType: NSSQLiteStoreType, options: nil)
      }
    }
    #expect(try store.numbers("Tally", "value") == [])
  }

  @Test("are consistent for several threads that read and write at once")
  func threads() throws {
    let store = try SharedStore()
    try store.opened { coordinator in
      let first = ProcessModel.context(coordinator, author: "test")
      try SharedStore.insert("Tally", in: first)
      try SharedStore.insert("Account", in: first)
      // Each save adds one of both, so a read of both counts in one state finds them equal.
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        let context = ProcessModel.context(coordinator, author: "thread \(thread)")
        for _ in 0..<20 {
          do {
            try context.performAndWait {
              if thread == 0 {
                _ = NSEntityDescription.insertNewObject(forEntityName: "Tally", into: context)
                _ = NSEntityDescription.insertNewObject(forEntityName: "Account", into: context)
                try context.save()
              } else {
                let before = try count("Tally", in: context)
                let between = try count("Account", in: context)
                let after = try count("Tally", in: context)
                #expect(before <= between && between <= after)
              }
            }
          } catch {
            Issue.record(error)
          }
        }
      }
      #expect(try count("Tally", in: first) == 21)
      #expect(try count("Account", in: first) == 21)
    }
  }
}
