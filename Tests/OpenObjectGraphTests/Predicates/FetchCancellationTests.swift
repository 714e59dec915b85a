import Foundation
import OpenCoreData
import Synchronization
import Testing

/// Cancellation of fetches while SQLite runs them.
@Suite("Cancelled fetches")
struct FetchCancellationTests {
  /// A statement that would run practically forever: it visits 3,000 posts cubed.
  private static var endless: NSFetchRequest<BudgetPost> {
    let request = NSFetchRequest<BudgetPost>(entityName: "BudgetPost")
    request.predicate = NSPredicate(
      format: """
        SUBQUERY(author.posts, $p, SUBQUERY($p.author.posts, $q, \
        $q.text CONTAINS 'absent' AND $p.number != $q.number).@count > 0).@count > 0
        """)
    return request
  }

  /// The action of the statement observer; set after the store is filled.
  private final class Hook: Sendable {
    private let action = Mutex<(@Sendable () -> Void)?>(nil)

    func set(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = action } }

    func run(_ sql: String) {
      guard sql.contains("COUNT") || sql.contains("count") else { return }
      let action = action.withLock { action in
        defer { action = nil }
        return action
      }
      action?()
    }
  }

  /// One author's posts in a store with a single connection, so that no other read can run before a
  /// statement ends.
  private static func context(_ hook: Hook) throws -> NSManagedObjectContext {
    let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))
    description.setOption(
      StatementObserver { hook.run($0) }, forKey: OpenStatementObserverOption)
    let context = try NSPersistentContainer.loaded(
      "Budget", BudgetStack.makeModel(), [description]
    ).newBackgroundContext()
    try context.performAndWait { () throws in
      let author = BudgetUser(context: context)
      for number in 0..<3_000 {
        let post = BudgetPost(context: context)
        post.number = Int32(number)
        post.text = "Text"
        post.author = author
      }
      try context.save()
    }
    return context
  }

  /// Reads and writes again with the connection of the canceled statement.
  private static func checkStoreIsFree(_ context: NSManagedObjectContext) throws {
    try context.performAndWait { () throws in
      #expect(try context.count(for: BudgetStack.request()) == 3_000)
      BudgetPost(context: context).number = -1
      try context.save()
      #expect(try context.count(for: BudgetStack.request()) == 3_001)
    }
  }

  @Test("cancelling an asynchronous fetch ends the statement that the store runs for it")
  func asynchronousFetch() async throws {
    let hook = Hook()
    let context = try Self.context(hook)
    let result = Mutex<NSPersistentStoreAsynchronousResult?>(nil)
    let begun = DispatchSemaphore(value: 0)
    hook.set {
      begun.wait()
      result.withLock { $0 }?.cancel()
    }
    let code: Int? = try await withCheckedThrowingContinuation { continuation in
      context.performAndWait {
        let fetch = NSAsynchronousFetchRequest(fetchRequest: Self.endless) { ended in
          continuation.resume(returning: (ended.operationError as? CocoaError)?.code.rawValue)
        }
        do {
          let running = try context.execute(fetch) as? NSPersistentStoreAsynchronousResult
          result.withLock { $0 = running }
          begun.signal()
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
    #expect(code == CocoaError.Code.userCancelled.rawValue)
    try Self.checkStoreIsFree(context)
  }

  @Test("cancelling the progress of a fetch does the same")
  func progress() async throws {
    let hook = Hook()
    let context = try Self.context(hook)
    let begun = DispatchSemaphore(value: 0)
    let progress = Mutex<Progress?>(nil)
    hook.set {
      begun.wait()
      progress.withLock { $0 }?.cancel()
    }
    let code: Int? = try await withCheckedThrowingContinuation { continuation in
      context.performAndWait {
        let parent = Progress(totalUnitCount: 1)
        parent.becomeCurrent(withPendingUnitCount: 1)
        defer { parent.resignCurrent() }
        let fetch = NSAsynchronousFetchRequest(fetchRequest: Self.endless) { ended in
          continuation.resume(returning: (ended.operationError as? CocoaError)?.code.rawValue)
        }
        do {
          let running = try context.execute(fetch) as? NSPersistentStoreAsynchronousResult
          progress.withLock { $0 = running?.progress }
          begun.signal()
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
    #expect(code == CocoaError.Code.userCancelled.rawValue)
    try Self.checkStoreIsFree(context)
  }

  @Test("cancellation also stops evaluation in memory")
  func inMemory() async throws {
    let context = try Self.context(Hook())
    let result = Mutex<NSPersistentStoreAsynchronousResult?>(nil)
    let begun = DispatchSemaphore(value: 0)
    let tested = Atomic<Int>(0)
    let request = BudgetStack.request()
    request.predicate = NSPredicate { _, _ in
      if tested.add(1, ordering: .relaxed).newValue == 1 {
        begun.wait()
        result.withLock { $0 }?.cancel()
      }
      return true
    }
    let code: Int? = try await withCheckedThrowingContinuation { continuation in
      context.performAndWait {
        let fetch = NSAsynchronousFetchRequest(fetchRequest: request) { ended in
          continuation.resume(returning: (ended.operationError as? CocoaError)?.code.rawValue)
        }
        do {
          let running = try context.execute(fetch) as? NSPersistentStoreAsynchronousResult
          result.withLock { $0 = running }
          begun.signal()
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
    #expect(code == CocoaError.Code.userCancelled.rawValue)
    try Self.checkStoreIsFree(context)
    #expect(tested.load(ordering: .relaxed) == 1)
  }

  @Test("cancelling a task ends the statement of the sequence that it iterates")
  func task() async throws {
    let hook = Hook()
    let context = try Self.context(hook)
    try await Self.cancelSequence(of: context, hook)
    try Self.checkStoreIsFree(context)
  }

  @Test("a child context's fetch is also cancelled in the store")
  func child() async throws {
    let hook = Hook()
    let context = try Self.context(hook)
    try await Self.cancelSequence(of: context.makeChild(), hook)
    try Self.checkStoreIsFree(context)
  }

  /// Iterates a sequence in a task that is canceled while the store runs its statement.
  private static func cancelSequence(
    of context: NSManagedObjectContext, _ hook: Hook
  ) async throws {
    let begun = DispatchSemaphore(value: 0)
    let running = Mutex<Task<Void, any Error>?>(nil)
    hook.set {
      begun.wait()
      running.withLock { $0 }?.cancel()
    }
    // The sequence works on the context's queue.
    nonisolated(unsafe) let numbers = context.results(of: endless) { $0.number }
    let task = Task {
      for try await _ in numbers {}
    }
    running.withLock { $0 = task }
    begun.signal()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
