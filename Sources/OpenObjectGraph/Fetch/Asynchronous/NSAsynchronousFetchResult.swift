internal import Foundation
internal import OpenObjectModel

/// The result of an asynchronous fetch.
///
/// A separate context reads the stores. The executing context then adopts the rows as its own objects, on its queue.
///
/// > Concurrency: ``finalResult`` is set and read on the context's queue.
/// > Reference: Apple, NSAsynchronousFetchResult.
open class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult,
  @unchecked Sendable
{
  /// The request that was executed.
  public let fetchRequest: NSAsynchronousFetchRequest<ResultType>
  /// The result; nil until the fetch has ended, and after an error.
  ///
  /// > Concurrency: On the context's queue.
  public private(set) var finalResult: [ResultType]?

  init(
    _ request: NSAsynchronousFetchRequest<ResultType>, context: NSManagedObjectContext,
    progress: Progress?
  ) {
    fetchRequest = request
    super.init(context: context, progress: progress)
  }

  override func runCompletionBlock() { fetchRequest.completionBlock?(self) }

  // MARK: Reading

  /// Starts reading on a separate queue, and returns immediately.
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

  /// Reads on the reader's queue, then takes over on the context's.
  private func run<Found>(
    in reader: NSManagedObjectContext, _ read: @escaping () throws -> [Found],
    adopting adopt: @escaping ([Found]) throws -> [ResultType]
  ) {
    // Each runs once: the one on the reader's queue, then the other on the context's.
    nonisolated(unsafe) let read = read
    nonisolated(unsafe) let adopt = adopt
    reader.perform { [self] in
      if isCancelled { return cancel() }
      let found = QueueOutcome(catching: read)
      managedObjectContext.perform { [self] in
        // The reader's objects go before the reader does.
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

  /// The context's own objects for those that the reader found, slice by slice.
  private func adopt(
    _ objects: [NSManagedObject], _ adoption: ObjectAdoption
  ) throws -> [ResultType] {
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

  /// Ends the progress; that of an empty result has one unit, because one without units never ends.
  private func complete(_ count: Int) {
    guard let progress, !isCancelled else { return }
    progress.totalUnitCount = Int64(max(count, 1))
    progress.completedUnitCount = progress.totalUnitCount
  }
}
