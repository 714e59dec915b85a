import Dispatch
import OpenPredicates
import OpenStoreContract
import Synchronization

/// Checks with readers and writers on several threads.
extension StoreConformance {
  static let concurrencyChecks: [Check] = [
    Check("a reader sees either all or none of a commit", isolation),
    Check("concurrent insertions get different keys, and all rows are stored") { trial in
      let failures = concurrently(4) { thread in
        for index in 0..<25 {
          _ = try trial.insert("Person", NewObject(["serial": .int(Int64(thread * 100 + index))]))
        }
      }
      try expect(failures, equals: [], "Errors of the threads")
      try expect(try trial.rows(Query("Person")).count, equals: 100, "Number of rows")
    },
    Check("only one of several concurrent updates of the same row version is written") { trial in
      let id = try trial.insert("Tag", NewObject(["name": .string("0")]))
      let row = try trial.storedRow(id)
      let committed = Mutex(0)
      let failures = concurrently(4) { thread in
        let outcome = try trial.commit { try $0.update(row, ["name": .string("\(thread)")]) }
        if case .committed = outcome { committed.withLock { $0 += 1 } }
      }
      try expect(failures, equals: [], "Errors of the threads")
      try expect(committed.withLock { $0 }, equals: 1, "Commits that succeeded")
      try expect(try trial.storedRow(id).version, equals: row.version + 1, "Version")
    },
  ]

  /// Checks isolation: one thread increases the age of all people in each commit, and other threads
  /// must never read two different ages at once.
  private static func isolation(_ trial: StoreTrial) throws {
    let people = try trial.insert(
      "Person", (0..<20).map { NewObject(["serial": .int($0), "age": .int(0)]) })
    let failures = concurrently(4) { thread in
      for round in 1...25 {
        if thread == 0 {
          try setAge(Int64(round), people, trial)
        } else {
          try expectOneAge(people.count, trial)
        }
      }
    }
    try expect(failures, equals: [], "Errors of the threads")
    for id in people {
      try expect(try trial.value("age", of: id), equals: .int(25), "Age at the end")
    }
  }

  private static func setAge(_ age: Int64, _ people: [ObjectKey], _ trial: StoreTrial) throws {
    let rows = try people.map { try trial.storedRow($0) }
    try trial.write { changes in
      for row in rows { try changes.update(row, ["age": .int(age)]) }
    }
  }

  private static func expectOneAge(_ count: Int, _ trial: StoreTrial) throws {
    var ages: [Value] = []
    try trial.store.forEachChunk(matching: try trial.plan(Query("Person"))) { chunk in
      chunk.forEachRow { row in ages.append((try? trial.value("age", of: row)) ?? .null) }
    }
    try expect(ages.count, equals: count, "Number of rows")
    try expect(Set(ages).count, equals: 1, "Number of ages seen at once")
  }

  /// Runs a closure on several threads and returns the errors that the closure threw.
  private static func concurrently(
    _ count: Int, _ body: @Sendable (Int) throws -> Void
  ) -> [String] {
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: count) { thread in
      do {
        try body(thread)
      } catch {
        failures.withLock { $0.append("thread \(thread): \(error)") }
      }
    }
    return failures.withLock { $0 }
  }
}
