internal import Foundation
internal import OpenObjectModel

/// The result of a fetch that `execute(_:)` has executed or started.
///
/// For an asynchronous fetch, a separate context reads the stores. The executing context then
/// registers the fetched objects, on its queue. For a plain fetch request, `execute(_:)` returns a
/// result that already contains the ``finalResult``.
///
/// > Concurrency: ``finalResult`` is set and read on the context's queue.
/// > Reference: Apple, NSAsynchronousFetchResult.
open class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult,
  @unchecked Sendable
{
  /// The request that was executed.
  public let fetchRequest: NSAsynchronousFetchRequest<ResultType>
  /// The fetched results; nil before the fetch has ended, and after an error or a cancellation.
  ///
  /// > Concurrency: Read on the context's queue.
  public private(set) var finalResult: [ResultType]?

  init(
    _ request: NSAsynchronousFetchRequest<ResultType>, context: NSManagedObjectContext,
    progress: Progress?
  ) {
    fetchRequest = request
    super.init(context: context, progress: progress)
  }

  /// Creates the result of a fetch that has ended.
  init(
    _ request: NSFetchRequest<ResultType>, in context: NSManagedObjectContext,
    results: [ResultType]
  ) {
    fetchRequest = NSAsynchronousFetchRequest(fetchRequest: request)
    super.init(context: context, progress: nil)
    succeed { finalResult = results }
  }

  override func runCompletionBlock() { fetchRequest.completionBlock?(self) }

  // MARK: Reading

  /// Starts reading on the queue of a separate context, and returns immediately.
  func read(_ request: NSFetchRequest<ResultType>, from stores: [NSPersistentStore]?) {
    let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    managedObjectContext.source.attach(reader)
    reader.source.interruption = interruption
    if request.resultType == .managedObjectResultType {
      let copy = NSFetchRequest<NSManagedObject>(copying: request)
      copy.affectedStores = stores
      copy.returnsObjectsAsFaults = true
      let adoption = ObjectAdoption(request, in: managedObjectContext)
      run(in: reader) {
        try reader.fetch(copy)
      } adopting: { [self] objects in
        try adopt(objects, adoption)
      }
    } else {
      let copy = NSFetchRequest<ResultType>(copying: request)
      copy.affectedStores = stores
      run(in: reader) {
        try reader.fetch(copy)
      } adopting: {
        $0
      }
    }
  }

  /// Reads on the reader's queue, then converts the result on the queue of the executing context.
  private func run<Found>(
    in reader: NSManagedObjectContext, _ read: @escaping () throws -> [Found],
    adopting adopt: @escaping ([Found]) throws -> [ResultType]
  ) {
    // Each function runs once: `read` on the reader's queue, then `adopt` on the context's queue.
    nonisolated(unsafe) let read = read
    nonisolated(unsafe) let adopt = adopt
    reader.perform { [self] in
      if isCancelled { return cancel() }
      let found = QueueOutcome(catching: read)
      managedObjectContext.perform { [self] in
        // The reader's objects are released before the reader.
        withExtendedLifetime(reader) { finish(Result { try adopt(try found.result.get()) }) }
      }
    }
  }

  private func finish(_ outcome: Result<[ResultType], any Error>) {
    switch outcome {
    case .failure(let error): fail(with: error)
    case .success(let results):
      complete(results.count)
      succeed { finalResult = results }
    }
  }

  // MARK: Objects

  /// Returns the executing context's objects for the objects of the reader, one slice after the
  /// other.
  private func adopt(
    _ objects: [NSManagedObject], _ adoption: ObjectAdoption
  ) throws -> [ResultType] {
    // The rows may contain temporary keys that the parent has replaced since the read.
    if let reader = objects.first?.registry { managedObjectContext.registry.addPlaces(of: reader) }
    progress?.totalUnitCount = Int64(max(objects.count, 1))
    var results: [ResultType] = []
    results.reserveCapacity(objects.count)
    for start in stride(from: 0, to: objects.count, by: adoption.sliceSize) {
      if isCancelled { return [] }
      let slice = objects[start..<min(start + adoption.sliceSize, objects.count)]
      results += try ResultCast.values(adoption.objects(for: slice))
      progress?.completedUnitCount = Int64(results.count)
    }
    return results
  }

  /// Ends the progress.
  ///
  /// The progress of an empty result has one unit, because a progress without units never ends.
  private func complete(_ count: Int) {
    guard let progress, !isCancelled else { return }
    progress.totalUnitCount = Int64(max(count, 1))
    progress.completedUnitCount = progress.totalUnitCount
  }
}
