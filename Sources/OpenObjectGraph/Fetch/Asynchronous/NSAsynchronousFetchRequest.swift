internal import Foundation

/// A completion block that receives the result of an asynchronous fetch.
///
/// The result type is `any NSFetchRequestResult`, so the block works for every entity.
///
/// > Reference: Apple, NSPersistentStoreAsynchronousFetchResultCompletionBlock.
public typealias NSPersistentStoreAsynchronousFetchResultCompletionBlock =
  (NSAsynchronousFetchResult<any NSFetchRequestResult>) -> Void

/// A fetch that reads the stores in the background and calls a completion block on the context's
/// queue.
///
/// Pass the request to `execute(_:)` of a context. `execute(_:)` copies the fetch request, and
/// throws `CocoaError` 134091 for a context without a queue, and 134060 for a context without a
/// coordinator or stores. The fetch ignores the context's unsaved changes when it selects objects,
/// regardless of `includesPendingChanges`, but the returned objects keep their unsaved changes.
///
/// > Concurrency: Confined to one thread at a time.
/// > Reference: Apple, NSAsynchronousFetchRequest. Differs: D-052.
open class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest {
  /// The request that selects the results.
  public let fetchRequest: NSFetchRequest<ResultType>
  /// The block that runs on the context's queue when the fetch has succeeded, failed or been
  /// canceled.
  ///
  /// The property is nil if the request has no completion block. On Apple platforms, the block's
  /// parameter does not have the result type of the request, because generic types do not exist at
  /// run time (D-052).
  public let completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)?
  /// The expected number of results, which is the total unit count of the fetch's `Progress` until
  /// the fetch ends; 0, the default, or a negative number if the number is unknown.
  public var estimatedResultCount = 0

  /// Creates an asynchronous fetch.
  ///
  /// - Parameters:
  ///   - request: The request that selects the results.
  ///   - completionBlock: The block that runs on the context's queue when the fetch has succeeded,
  ///     failed or been canceled; nil for no block.
  public init(
    fetchRequest request: NSFetchRequest<ResultType>,
    completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
  ) {
    fetchRequest = request
    self.completionBlock = completionBlock
    super.init()
  }

  /// Returns a child of the current progress; nil if there is no current progress.
  private func makeProgress() -> Progress? {
    guard Progress.current() != nil else { return nil }
    return Progress(totalUnitCount: estimatedResultCount > 0 ? Int64(estimatedResultCount) : -1)
  }
}

/// A request that `execute(_:)` of a context starts without waiting for its end.
protocol AsynchronousRequest: NSPersistentStoreRequest {
  /// Starts the request.
  ///
  /// - Throws: `CocoaError` if the context has no queue, no coordinator or no store.
  func start(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult
}

extension NSAsynchronousFetchRequest: AsynchronousRequest {
  func start(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    guard context.concurrencyType != .confinementConcurrencyType else {
      throw CocoaError.make(
        .persistentStoreUnsupportedRequestType,
        "An asynchronous fetch requires a context with a queue. Create the context with "
          + ".privateQueueConcurrencyType or .mainQueueConcurrencyType.")
    }
    _ = try context.requireStores("fetch")
    // The fetch itself reports an unknown entity.
    _ = try? context.entity(of: fetchRequest)
    let result = NSAsynchronousFetchResult(self, context: context, progress: makeProgress())
    if let affectedStores, fetchRequest.affectedStores == nil {
      result.read(fetchRequest, from: affectedStores)
    } else {
      result.read(fetchRequest, from: fetchRequest.affectedStores)
    }
    return result
  }
}
