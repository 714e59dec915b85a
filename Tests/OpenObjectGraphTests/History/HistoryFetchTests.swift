import Foundation
import OpenCoreData
import OpenTestSupport
import Testing

@Suite("History requests with predicates")
struct HistoryFetchTests {
  private let stacks: [TrackStack]

  init() throws {
    stacks = try TrackStack.Place.allCases.map { place in
      let stack = try TrackStack(place, history: true)
      for (author, name, titles) in [
        ("app", "main", ["A", "B"]), ("sync", "net", ["C"]), ("app", "net", ["D"]),
      ] {
        let context = stack.makeContext(author: author, name: name)
        try context.performAndWait {
          for title in titles { TrackStack.insert("Track", ["title": title], in: context) }
          TrackStack.insert("Album", ["title": author], in: context)
          try context.save()
        }
      }
      return stack
    }
  }

  private func transactions(
    _ format: String, _ arguments: [Any], in stack: TrackStack,
    _ adjust: (NSFetchRequest<any NSFetchRequestResult>) -> Void = { _ in }
  ) throws -> [NSPersistentHistoryTransaction] {
    let request = try #require(NSPersistentHistoryTransaction.fetchRequest)
    request.predicate = NSPredicate(format: format, argumentArray: arguments)
    adjust(request)
    return try execute(.fetchHistory(withFetch: request), in: stack)
  }

  private func execute<Wanted>(
    _ request: NSPersistentHistoryChangeRequest, in stack: TrackStack
  ) throws -> [Wanted] {
    let context = stack.makeContext()
    return try context.performAndWait {
      let result = try context.execute(request) as? NSPersistentHistoryResult
      return try #require(result?.result as? [Wanted])
    }
  }

  private func changes(
    _ format: String, _ arguments: [Any], in stack: TrackStack
  ) throws -> [NSPersistentHistoryChange] {
    let request = try #require(NSPersistentHistoryChange.fetchRequest)
    request.predicate = NSPredicate(format: format, argumentArray: arguments)
    let history = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: request)
    history.resultType = .changesOnly
    return try execute(history, in: stack)
  }

  @Test("transactions by author, context, number and time")
  func transactions() throws {
    for stack in stacks {
      func numbers(_ format: String, _ arguments: Any...) throws -> [Int64] {
        try transactions(format, arguments, in: stack).map(\.transactionNumber)
      }
      #expect(try numbers("author == %@", "app") == [1, 3])
      #expect(try numbers("author != %@", "app") == [2])
      #expect(try numbers("contextName == %@ AND author == %@", "net", "app") == [3])
      #expect(try numbers("transactionNumber >= %d", 2) == [2, 3])
      #expect(try numbers("timestamp < %@", Date() + 60) == [1, 2, 3])
      #expect(try numbers("processID == %@", "unknown").isEmpty)
    }
  }

  @Test("a deletion with a predicate deletes only selected transactions, the oldest ones (D-450)")
  func deletion() throws {
    for stack in stacks {
      let context = stack.makeContext()
      try context.performAndWait { () throws in
        func delete(
          _ format: String, from request: NSFetchRequest<any NSFetchRequestResult>?
        ) throws -> Int? {
          let deletion = NSPersistentHistoryChangeRequest.deleteHistory(before: Date() + 60)
          deletion.resultType = .count
          deletion.fetchRequest = request
          deletion.fetchRequest?.predicate = NSPredicate(format: format)
          return (try context.execute(deletion) as? NSPersistentHistoryResult)?.result as? Int
        }
        func numbers() throws -> [Int64] {
          try transactions("TRUEPREDICATE", [], in: stack).map(\.transactionNumber)
        }
        let (ofTransactions, ofChanges) = (
          NSPersistentHistoryTransaction.fetchRequest, NSPersistentHistoryChange.fetchRequest
        )
        // The transactions of "app" are the first and the third.
        let error = #expect(throws: CocoaError.self) {
          try delete("author == 'app'", from: ofTransactions)
        }
        #expect(error?.code == .coreData)
        #expect(throws: CocoaError.self) { try delete("changeID > 0", from: ofChanges) }
        #expect(throws: CocoaError.self) { try delete("autor == 'app'", from: ofTransactions) }
        #expect(try numbers() == [1, 2, 3])
        #expect(try delete("author == 'unknown'", from: ofTransactions) == 0)
        #expect(
          try delete("author == 'app' AND contextName == 'main'", from: ofTransactions) == 1)
        #expect(try numbers() == [2, 3])
      }
    }
  }

  @Test("a deletion with a predicate reads the changes only if the predicate depends on them")
  func readChanges() throws {
    let stack = try #require(stacks.first { $0.place == .file })
    let context = stack.makeContext()
    try context.performAndWait { () throws in
      // The first transaction has three changes, the others have two.
      let formats = [("contextName == 'main'", false), ("changes.@count == 2", true)]
      for (format, isOfChanges) in formats {
        let deletion = NSPersistentHistoryChangeRequest.deleteHistory(before: Date() + 60)
        deletion.resultType = .count
        deletion.fetchRequest = NSPersistentHistoryTransaction.fetchRequest
        deletion.fetchRequest?.predicate = NSPredicate(format: format)
        let (result, statements) = try stack.recorder.recording {
          try context.execute(deletion) as? NSPersistentHistoryResult
        }
        #expect(result?.result as? Int == (isOfChanges ? 2 : 1))
        let hasReadChanges = statements.contains {
          $0.hasPrefix("SELECT") && $0.contains("ACHANGE")
        }
        #expect(hasReadChanges == isOfChanges)
      }
    }
  }

  @Test("a fetch of transactions without their changes can select them by their changes")
  func transactionsByChanges() throws {
    for stack in stacks {
      let request = try #require(NSPersistentHistoryTransaction.fetchRequest)
      request.predicate = NSPredicate(format: "changes.@count == 2")
      let history = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: request)
      history.resultType = .transactionsOnly
      let found: [NSPersistentHistoryTransaction] = try execute(history, in: stack)
      #expect(found.map(\.transactionNumber) == [2, 3])
      #expect(found.allSatisfy { $0.changes == nil })
    }
  }

  @Test("comparisons with nil follow the rules of SQL (D-130)")
  func withoutAuthor() throws {
    for stack in stacks {
      let context = stack.makeContext()
      try context.performAndWait {
        TrackStack.insert("Track", ["title": "E"], in: context)
        try context.save()
      }
      func numbers(_ format: String) throws -> [Int64] {
        try transactions(format, [], in: stack).map(\.transactionNumber)
      }
      #expect(try numbers("author != 'app'") == [2])
      #expect(try numbers("NOT author == 'app'") == [2])
      #expect(try numbers("author == nil") == [4])
      #expect(try numbers("author != nil") == [1, 2, 3])
      #expect(try numbers("author == nil OR author != 'app'") == [2, 4])
    }
  }

  @Test("an unknown key in a predicate or a sort descriptor throws 134060")
  func unknownKeys() throws {
    for stack in stacks {
      for format in [
        "autor != 'x'", "NOT autor == 'x'", "author == 'app' OR nope > 3", "changedObjectID != nil",
        "ANY changes.nope == 1", "lowercase:(autor) == 'x'",
        "SUBQUERY(changes, $c, $c.nope == 1).@count > 0",
        "SUBQUERY(changes, $c, $c.transaction.autor == 'x').@count > 0",
        "SUBQUERY(SELF.changes, $c, SUBQUERY($c.transaction.changes, $d, $d.nope == 1).@count > 0)"
          + ".@count > 0",
        "ANY SUBQUERY(changes, $c, $c.changeType == 1).nope == 1", "changes[0].nope == 1",
        "changes[LAST].transaction.nope == 1",
      ] {
        let error = try #require(throws: CocoaError.self) {
          try transactions(format, [], in: stack)
        }
        #expect(error.code == .coreData)
      }
      let error = try #require(throws: CocoaError.self) {
        try transactions("TRUEPREDICATE", [], in: stack) {
          $0.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        }
      }
      #expect(error.code == .coreData)
      #expect(error.localizedDescription.contains("keypath number not found in entity Transaction"))
      #expect(throws: CocoaError.self) { try changes("author == 'sync'", [], in: stack) }
      #expect(try changes("transaction.author == 'sync'", [], in: stack).count == 2)
      _ = try changes("transaction.changes.@count >= 0", [], in: stack)
      _ = try transactions("SUBQUERY(changes, $c, $c.changeType == 1).@count > 0", [], in: stack)
      _ = try transactions("ANY SUBQUERY(changes, $c, TRUEPREDICATE).changeID > 0", [], in: stack)
      _ = try transactions("changes[0].changeID > 0", [], in: stack)
    }
  }

  @Test("transactions by token; the token of an empty history throws 134301")
  func tokens() throws {
    for stack in stacks {
      let all = try transactions("TRUEPREDICATE", [], in: stack)
      let found = try transactions("token > %@", [all[0].token], in: stack)
      #expect(found == Array(all[1...]))
      #expect(try transactions("token == %@", [all[1].token], in: stack) == [all[1]])
      let initial = try #require(
        try TrackStack(.memory, history: true).coordinator
          .currentPersistentHistoryToken(fromStores: nil))
      let error = try #require(throws: CocoaError.self) {
        try transactions("token > %@", [initial], in: stack)
      }
      #expect(error.code.rawValue == 134301)
    }
  }

  @Test("order, limit and offset of the request apply")
  func window() throws {
    for stack in stacks {
      let newest = try transactions("author == %@", ["app"], in: stack) {
        $0.sortDescriptors = [NSSortDescriptor(key: "transactionNumber", ascending: false)]
        $0.fetchLimit = 1
      }
      #expect(newest.map(\.transactionNumber) == [3])
    }
  }

  @Test("changes by kind, entity and object, in the transactions that have them")
  func changes() throws {
    for stack in stacks {
      let albums = try #require(stack.coordinator.managedObjectModel.entitiesByName["Album"])
      let found = try changes("changedEntity == %@", [albums], in: stack)
      #expect(found.count == 3)
      #expect(found.allSatisfy { $0.changedObjectID.entity.name == "Album" })
      let inserts = NSPersistentHistoryChangeType.insert.rawValue
      #expect(try changes("changeType == %d", [inserts], in: stack).count == 7)
      #expect(try changes("changeType == %d", [2], in: stack).isEmpty)
      let id = found[1].changedObjectID
      #expect(try changes("changedObjectID == %@", [id], in: stack) == [found[1]])
      #expect(try changes("changeID > %d", [5], in: stack).count == 2)

      let request = try #require(NSPersistentHistoryChange.fetchRequest)
      request.predicate = NSPredicate(format: "changedObjectID == %@", argumentArray: [id])
      let holders: [NSPersistentHistoryTransaction] = try execute(
        .fetchHistory(withFetch: request), in: stack)
      #expect(holders.map(\.author) == ["sync"])
      #expect(holders.first?.changes == [found[1]])
    }
  }

  @Test("a request and a position in the history combine")
  func combined() throws {
    for stack in stacks {
      let all = try transactions("TRUEPREDICATE", [], in: stack)
      let history = NSPersistentHistoryChangeRequest.fetchHistory(after: all[0].token)
      let request = NSFetchRequest<any NSFetchRequestResult>()
      request.entity = NSPersistentHistoryTransaction.entityDescription(with: stack.makeContext())
      request.predicate = NSPredicate(format: "author == %@", "app")
      history.fetchRequest = request
      let found: [NSPersistentHistoryTransaction] = try execute(history, in: stack)
      #expect(found == [all[2]])
    }
  }

  @Test("a request of another entity throws, as does a predicate that cannot be parsed")
  func badRequests() throws {
    for stack in stacks {
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Track")
      #expect(throws: CocoaError.self) {
        let _: [NSPersistentHistoryTransaction] = try execute(
          .fetchHistory(withFetch: request), in: stack)
      }
      #expect(throws: (any Error).self) { try transactions("author ==", [], in: stack) }
    }
  }
}
