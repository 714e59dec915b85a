import Foundation
import OpenCoreData
import OpenPostgresStore
import OpenStoreContract
import PostgresTestServer
import Synchronization
import Testing

@Suite("Several stacks share a store", .enabled(if: TestServer.isPresent))
struct SharedStoreTests {
  /// Numbers that depend on a seed only.
  private struct Random: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  @Test(
    "moves between books by four stacks at once conserve the sum, and the history has every save once"
  )
  func sums() async throws {
    let url = try TestServer.shared.get().newURL()
    let (books, moves, stacks) = (8, 25, 4)
    let first = try Library.container(url).viewContext
    try await first.perform {
      for index in 0..<books {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: first)
        book.setValue("\(index)", forKey: "title")
        book.setValue(100, forKey: "pages")
      }
      try first.save()
    }
    let saves = try await withThrowingTaskGroup(of: Int.self) { group in
      for stack in 0..<stacks {
        group.addTask {
          let context = try Library.container(url).newBackgroundContext()
          return try await context.perform {
            var random = Random(state: UInt64(stack + 1))
            for _ in 0..<moves { try Self.move(in: context, books, &random) }
            return moves
          }
        }
      }
      return try await group.reduce(0, +)
    }
    try await first.perform {
      first.refreshAllObjects()
      let found = try first.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
      let sum = found.reduce(0) { $0 + (($1.value(forKey: "pages") as? Int) ?? 0) }
      #expect(sum == books * 100)
      let request = NSPersistentHistoryChangeRequest.fetchHistory(
        after: nil as NSPersistentHistoryToken?)
      let result = try first.execute(request) as? NSPersistentHistoryResult
      let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
      #expect(transactions.map(\.transactionNumber) == Array(1...Int64(saves + 1)))
    }
  }

  /// Moves a page from one book to another, and retries while another stack was faster.
  private static func move(
    in context: NSManagedObjectContext, _ count: Int, _ random: inout Random
  ) throws {
    let from = Int.random(in: 0..<count, using: &random)
    let to = (from + Int.random(in: 1..<count, using: &random)) % count
    while true {
      context.reset()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.predicate = NSPredicate(format: "title IN %@", ["\(from)", "\(to)"])
      for book in try context.fetch(request) {
        let pages = (book.value(forKey: "pages") as? Int) ?? 0
        let isSource = book.value(forKey: "title") as? String == "\(from)"
        book.setValue(isSource ? pages - 1 : pages + 1, forKey: "pages")
      }
      do {
        return try context.save()
      } catch let error as CocoaError where error.code.rawValue == NSManagedObjectMergeError {
        continue
      }
    }
  }

  @Test("once a stack records the history, saves that are not recorded throw (D-423)")
  func beginningOfHistory() throws {
    let url = try TestServer.shared.get().newURL()
    let former = try Library.container(url, tracksHistory: false).newBackgroundContext()
    try former.performAndWait {
      func insertBook() -> NSManagedObject {
        NSEntityDescription.insertNewObject(forEntityName: "Book", into: former)
      }
      let book = insertBook()
      try former.save()
      let following = try Library.container(url)
      let update = NSBatchUpdateRequest(entityName: "Book")
      update.propertiesToUpdate = ["pages": 5]
      let calls: [() throws -> Void] = [
        {
          _ = insertBook()
          try former.save()
        },
        {
          book.setValue("changed", forKey: "title")
          try former.save()
        },
        { _ = try former.execute(update) },
      ]
      for call in calls {
        let error = #expect(throws: NSError.self) { try call() }
        #expect((error?.userInfo[OpenStoreErrorKey] as? StoreError)?.code == .readOnly)
        former.rollback()
      }
      let books = try former.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
      #expect(books.count == 1)
      #expect(books.first?.value(forKey: "title") as? String == nil)
      #expect(books.first?.value(forKey: "pages") as? Int == nil)
      withExtendedLifetime(following) {}
    }
  }

  @Test("keys of stacks that insert at the same time are all different")
  func keys() async throws {
    let url = try TestServer.shared.get().newURL()
    _ = try Library.container(url)
    let identifiers = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<4 {
        group.addTask {
          let context = try Library.container(url).newBackgroundContext()
          return try await context.perform {
            var identifiers: [String] = []
            for _ in 0..<20 {
              let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
              try context.save()
              identifiers.append(book.objectID.uriRepresentation().absoluteString)
            }
            return identifiers
          }
        }
      }
      return try await group.reduce([], +)
    }
    #expect(Set(identifiers).count == 80)
  }
}
