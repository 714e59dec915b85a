internal import Foundation

/// The type of completion blocks in code that does not depend on the type of the results.
///
/// > Reference: Apple, NSPersistentStoreAsynchronousFetchResultCompletionBlock.
public typealias NSPersistentStoreAsynchronousFetchResultCompletionBlock =
  (NSAsynchronousFetchResult<any NSFetchRequestResult>) -> Void

/// A fetch that reads the stores in the background and calls its completion block on the context's queue.
///
/// Execute it with `execute(_:)` of a context with a queue. The fetch request is copied at that moment. The fetch
/// ignores unsaved changes of the context, but returned objects keep them.
///
/// > Concurrency: Confined to one thread at a time.
/// > Reference: Apple, NSAsynchronousFetchRequest.
open class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest {
  /// The fetch request.
  public let fetchRequest: NSFetchRequest<ResultType>
  /// Runs on the context's queue when the fetch has ended in any way; nil for none.
  ///
  /// Apple declares it with the type without results; generic types are kept at run time here.
  public let completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)?
  /// The expected number of results, for the progress; 0 if it is unknown.
  public var estimatedResultCount = 0

  /// Creates an asynchronous fetch.
  ///
  /// - Parameters:
  ///   - request: The fetch request.
  ///   - completionBlock: Runs on the context's queue when the fetch has ended in any way.
  public init(
    fetchRequest request: NSFetchRequest<ResultType>,
    completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
  ) {
    fetchRequest = request
    self.completionBlock = completionBlock
    super.init()
  }

  /// The progress of an execution, below the current one; nil when there is none.
  private func makeProgress() -> Progress? {
    guard Progress.current() != nil else { return nil }
    return Progress(totalUnitCount: estimatedResultCount > 0 ? Int64(estimatedResultCount) : -1)
  }
}

/// A request that `execute(_:)` of a context only starts.
protocol AsynchronousRequest: NSPersistentStoreRequest {
  /// Starts the request.
  ///
  /// - Throws: `CocoaError` when the context has no queue, no coordinator or no store.
  func start(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult
}

extension NSAsynchronousFetchRequest: AsynchronousRequest {
  func start(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    guard context.concurrencyType != .confinementConcurrencyType else {
      throw CocoaError.make(
        .persistentStoreUnsupportedRequestType,
        "An asynchronous fetch needs a context with a queue. Make the context with "
          + ".privateQueueConcurrencyType or .mainQueueConcurrencyType.")
    }
    _ = try context.requireStores("asynchronous fetch")
    let result = NSAsynchronousFetchResult(self, context: context, progress: makeProgress())
    if let affectedStores, fetchRequest.affectedStores == nil {
      result.read(fetchRequest, from: affectedStores)
    } else {
      result.read(fetchRequest, from: fetchRequest.affectedStores)
    }
    return result
  }
}
