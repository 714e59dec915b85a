import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// Checks of persistent history, for stores that record it.
extension StoreConformance {
  static let historyChecks: [Check] = [
    historyCheck("an empty history has no transactions and ends at 0") { _, history in
      try expect(
        try history.bounds(), equals: HistoryBounds(first: nil, last: 0), "Bounds")
      try expect(try history.transactions(HistoryQuery(.beginning)).count, equals: 0, "Count")
      try expect(try history.delete(before: .transaction(5)), equals: 0, "Deleted")
    },
    historyCheck("a commit records its origin and its changes") { trial, history in
      let kept = try trial.insert("Tag", NewObject(["name": .string("kept")]))
      let gone = try trial.insert("Tag", NewObject(["name": .string("gone")]))
      let (first, second) = (try trial.storedRow(kept), try trial.storedRow(gone))
      let origin = ChangeOrigin(
        author: "author", contextName: "context", bundleID: "bundle", processID: "process")
      var changes = Changes(schema: trial.schema)
      try changes.update(first, ["name": .string("new")])
      changes.delete(second)
      var set = changes.set
      set.origin = origin
      let outcome = try trial.store.commit(reserving: [:]) { _ in set }
      guard case .committed(_, let number) = outcome else {
        throw ConformanceFailure("Outcome", expected: "committed", actual: "\(outcome)")
      }
      let last = try require(
        try history.transactions(HistoryQuery(.beginning)).last, "Last transaction")
      try expect(number, equals: last.number, "Number of the transaction")
      try expect(last.origin, equals: origin, "Origin")
      try expect(last.changes.map(\.kind), equals: [.update, .delete], "Kinds")
      try expect(last.changes.map(\.id), equals: [kept, gone], "Objects")
      let name = try trial.schema.property("name", of: try trial.schema.entity("Tag")).ordinal
      try expect(last.changes[0].updated, equals: OrdinalSet([name]), "Changed properties")
    },
    historyCheck("transaction numbers increase and are never reused") { trial, history in
      for _ in 0..<3 { _ = try trial.insert("Tag", NewObject([:])) }
      try expect(try history.bounds(), equals: HistoryBounds(first: 1, last: 3), "Bounds")
      try expect(try history.delete(before: .transaction(3)), equals: 2, "Deleted")
      try expect(
        try history.bounds(), equals: HistoryBounds(first: 3, last: 3),
        "Bounds after the first deletion")
      try expect(try history.delete(before: .date(.infinity)), equals: 1, "Deleted by date")
      try expect(
        try history.bounds(), equals: HistoryBounds(first: nil, last: 3),
        "Bounds after the second deletion")
      _ = try trial.insert("Tag", NewObject([:]))
      let rest = try history.transactions(HistoryQuery(.beginning))
      try expect(rest.map(\.number), equals: [4], "Numbers")
      try expect(rest.flatMap { $0.changes.map(\.number) }, equals: [4], "Numbers of changes")
    },
    historyCheck("the history can be read from after a transaction or a date") {
      trial, history in
      for _ in 0..<3 { _ = try trial.insert("Tag", NewObject([:])) }
      let all = try history.transactions(HistoryQuery(.beginning))
      let rest = try history.transactions(HistoryQuery(.transaction(1), includesChanges: false))
      try expect(rest.map(\.number), equals: [2, 3], "After a transaction")
      try expect(rest.allSatisfy { $0.changes.isEmpty }, "No changes are returned")
      let moment = all[2].timestamp
      try expect(
        try history.transactions(HistoryQuery(.date(moment))).filter { $0.timestamp <= moment }
          .count, equals: 0, "No transactions at or before the date")
      try expect(
        try history.transactions(HistoryQuery(.date(moment - 60))).count, equals: 3,
        "All transactions after an earlier date")
    },
    historyCheck("a limited query returns the oldest transactions") { trial, history in
      for _ in 0..<4 { _ = try trial.insert("Tag", NewObject([:])) }
      let first = try history.transactions(HistoryQuery(.beginning, limit: 2))
      try expect(first.map(\.number), equals: [1, 2], "From the beginning")
      try expect(first.map(\.changes.count), equals: [1, 1], "Changes")
      let next = try history.transactions(HistoryQuery(.transaction(2), limit: 5))
      try expect(next.map(\.number), equals: [3, 4], "After a transaction")
      let none = try history.transactions(HistoryQuery(.beginning, limit: 0))
      try expect(none.isEmpty, "A limit of 0 selects nothing")
    },
    historyCheck("a commit with a conflict records no transaction") { trial, history in
      let id = try trial.insert("Tag", NewObject([:]))
      let row = try trial.storedRow(id)
      _ = try trial.commit { try $0.update(row, ["name": .string("x")], expecting: 7) }
      try expect(try history.bounds().last, equals: 1, "Last transaction")
    },
    historyCheck("a batch request is one transaction with all of its changes") { trial, history in
      guard trial.store.capabilities.contains(.batchRequests) else { return }
      let town = try Town(in: trial)
      let start = try history.bounds().last
      let origin = ChangeOrigin(author: "batch")
      let inserted = try trial.insertBatch("Tag", [[:], [:]], origin: origin)
      let updated = try trial.updateBatch(
        Query("Company"), ["revenue": .constant(.double(0))], origin: origin)
      let plan = try trial.plan(
        Query("Person", try trial.compare("Person.name", .equal), [.string("Ada")]))
      let deleted = try trial.store.execute(.delete(plan), origin: origin)
      let transactions = try history.transactions(HistoryQuery(.transaction(start)))
      try expect(
        transactions.map { Optional($0.number) },
        equals: [inserted, updated, deleted].map(\.transaction), "Numbers")
      try expect(transactions.allSatisfy { $0.origin == origin }, "Origins")
      try expect(
        transactions.map { $0.changes.map(\.kind) },
        equals: [
          [.insert, .insert], [.update, .update, .update], [.update, .update, .delete],
        ], "Kinds")
      try expect(
        Set(transactions[2].changes.prefix(2).map(\.id)),
        equals: [try town.person("Bob"), try town.person("Cyd")], "People whose mentor was deleted")
      let nothing = try trial.updateBatch(
        Query("Person", .constant(false)), ["note": .constant(.null)])
      try expect(nothing.transaction, equals: nil, "A request that changes nothing")
    },
    historyCheck("consumers are stored by name until they are removed") { _, history in
      try expect(try history.consumers(), equals: [:], "Consumers at first")
      try history.setConsumer("one", 4)
      try history.setConsumer("", 7)
      try history.setConsumer("one", 5)
      try expect(try history.consumers(), equals: ["one": 5, "": 7], "Consumers")
      try history.setConsumer("", nil)
      try expect(try history.consumers(), equals: ["one": 5], "Consumers left")
    },
    Check("a history continues after its store is reopened") { trial in
      guard trial.canReopen, let history = trial.store.history else { return }
      _ = try trial.insert("Tag", NewObject([:]))
      try history.setConsumer("one", 1)
      guard let again = try trial.reopened() else { return }
      defer { again.close() }
      let second = try require(again.store.history, "History")
      try expect(try second.bounds(), equals: HistoryBounds(first: 1, last: 1), "Bounds")
      try expect(try second.consumers(), equals: ["one": 1], "Consumers")
      _ = try again.insert("Tag", NewObject([:]))
      try expect(try second.bounds().last, equals: 2, "Last transaction")
    },
  ]

  private static func historyCheck(
    _ name: String, _ body: @escaping @Sendable (StoreTrial, any StoreHistory) throws -> Void
  ) -> Check {
    Check(name) { trial in
      guard let history = trial.store.history else { return }
      try body(trial, history)
    }
  }
}
