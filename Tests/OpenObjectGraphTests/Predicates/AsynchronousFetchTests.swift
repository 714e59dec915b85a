import Foundation
import OpenCoreData
import OpenTestSupport
import Testing

/// The results of a completion block, for use outside the context's queue.
private struct Ending: Sendable {
  var numbers: [Int32]?
  var errorCode: Int?
  var ranOnQueue = false
  var objectsOfContext = false
}

@Suite("Asynchronous fetches")
struct AsynchronousFetchTests {
  /// Executes a fetch and waits for its completion block.
  private static func ending(
    of request: NSFetchRequest<BudgetPost>, in context: NSManagedObjectContext,
    then act: @escaping (NSAsynchronousFetchResult<BudgetPost>) -> Void = { _ in }
  ) async throws -> Ending {
    try await withCheckedThrowingContinuation { continuation in
      context.performAndWait {
        let fetch = NSAsynchronousFetchRequest(fetchRequest: request) { result in
          // A block runs at once if the caller is on the context's queue.
          var ending = Ending()
          result.managedObjectContext.performAndWait { ending.ranOnQueue = true }
          ending.numbers = result.finalResult?.map(\.number)
          ending.errorCode = (result.operationError as? CocoaError)?.code.rawValue
          ending.objectsOfContext =
            result.finalResult?.allSatisfy { $0.managedObjectContext === context } ?? false
          continuation.resume(returning: ending)
        }
        do {
          let result = try context.execute(fetch)
          let typed = try #require(result as? NSAsynchronousFetchResult<BudgetPost>)
          #expect(typed.finalResult == nil)
          #expect(typed.operationError == nil)
          #expect(typed.fetchRequest === fetch)
          act(typed)
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
  }

  @Test("execute returns at once, and the completion block receives the context's objects")
  func completion() async throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 30, share: 3)
    let context = stack.makeContext()
    let ending = try await Self.ending(of: BudgetStack.request(), in: context) { result in
      #expect(result.progress == nil)
    }
    #expect(ending.numbers == (0..<30).map(Int32.init))
    #expect(ending.errorCode == nil)
    #expect(ending.ranOnQueue && ending.objectsOfContext)
  }

  @Test("costs one statement, and reading the objects' properties costs none")
  func statements() async throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 1_500, share: 3)
    let before = stack.recorder.all.count
    let ending = try await Self.ending(of: BudgetStack.request(), in: stack.makeContext())
    #expect(ending.numbers?.count == 1_500)
    #expect(stack.recorder.all.count == before + 1)
  }

  @Test("ignores unsaved changes, yet objects are returned as they are in the context")
  func unsavedChanges() async throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 3, share: 3)
    let context = stack.makeContext()
    try context.performAndWait {
      BudgetPost(context: context).number = 77
      let request = BudgetStack.request()
      request.predicate = NSPredicate(format: "number == 1")
      try context.fetch(request).first?.number = 55
    }
    let ending = try await Self.ending(of: BudgetStack.request(), in: context)
    #expect(ending.numbers == [0, 55, 2])
  }

  @Test("a cancelled fetch ends with the user cancellation error and without a result")
  func cancellation() async throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 30, share: 3)
    let ending = try await Self.ending(of: BudgetStack.request(), in: stack.makeContext()) {
      $0.cancel()
      $0.cancel()
    }
    #expect(ending.numbers == nil)
    #expect(ending.errorCode == CocoaError.Code.userCancelled.rawValue)
  }

  @Test("below a current progress it has its own progress, which ends with the number of results")
  func progress() async throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 30, share: 3)
    let parent = Progress(totalUnitCount: 1)
    nonisolated(unsafe) var progress: Progress?
    let context = stack.makeContext()
    _ = try await withCheckedThrowingContinuation { continuation in
      context.performAndWait {
        let fetch = NSAsynchronousFetchRequest(fetchRequest: BudgetStack.request()) { _ in
          continuation.resume()
        }
        fetch.estimatedResultCount = 10
        parent.becomeCurrent(withPendingUnitCount: 1)
        do {
          let result = try context.execute(fetch) as? NSPersistentStoreAsynchronousResult
          progress = result?.progress
          #expect(progress?.totalUnitCount == 10)
        } catch {
          continuation.resume(throwing: error)
        }
        parent.resignCurrent()
      }
    }
    #expect(progress?.completedUnitCount == 30)
    #expect(progress?.totalUnitCount == 30)
    #expect(parent.isFinished)
  }

  @Test("cancelling the progress cancels the fetch")
  func cancelledProgress() async throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 3, share: 3)
    let parent = Progress(totalUnitCount: 1)
    let context = stack.makeContext()
    let code: Int? = try await withCheckedThrowingContinuation { continuation in
      context.performAndWait {
        let fetch = NSAsynchronousFetchRequest(fetchRequest: BudgetStack.request()) { result in
          continuation.resume(returning: (result.operationError as? CocoaError)?.code.rawValue)
        }
        parent.becomeCurrent(withPendingUnitCount: 1)
        do {
          let result = try context.execute(fetch) as? NSPersistentStoreAsynchronousResult
          result?.progress?.cancel()
        } catch {
          continuation.resume(throwing: error)
        }
        parent.resignCurrent()
      }
    }
    #expect(code == CocoaError.Code.userCancelled.rawValue)
  }

  @Test("an invalid request ends with its error")
  func badRequest() async throws {
    let stack = try BudgetStack()
    let request = NSFetchRequest<BudgetPost>(entityName: "Nothing")
    let ending = try await Self.ending(of: request, in: stack.makeContext())
    #expect(ending.numbers == nil)
    #expect(ending.errorCode == CocoaError.Code.coreData.rawValue)
  }

  @Test("requires a context with a queue and a store")
  func unfitContexts() throws {
    let stack = try BudgetStack()
    let fetch = NSAsynchronousFetchRequest(fetchRequest: BudgetStack.request())
    let confined = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
    confined.persistentStoreCoordinator = stack.container.persistentStoreCoordinator
    #expect(throws: CocoaError.self) { try confined.execute(fetch) }
    let empty = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    #expect(throws: CocoaError.self) { try empty.execute(fetch) }
  }

  @Test("fetches ids")
  func ids() async throws {
    let stack = try BudgetStack()
    try stack.seed(posts: 5, share: 3)
    let context = stack.makeContext()
    let ids: [NSManagedObjectID]? = try await withCheckedThrowingContinuation { continuation in
      context.performAndWait {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "BudgetPost")
        request.resultType = .managedObjectIDResultType
        let fetch = NSAsynchronousFetchRequest(fetchRequest: request) {
          continuation.resume(returning: $0.finalResult)
        }
        do { try context.execute(fetch) } catch { continuation.resume(throwing: error) }
      }
    }
    #expect(ids?.count == 5)
  }
}
