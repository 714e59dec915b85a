internal import Foundation
internal import OpenStoreContract

/// An asynchronous sequence of the values that a function returns for each fetched object.
///
/// The method ``NSManagedObjectContext/results(of:batchSize:_:)`` returns this sequence. The ids
/// are fetched when an iteration starts. The sequence reads the rows and calls the function in
/// batches on the context's queue. The objects of a batch are released before the next batch is
/// read, so the objects of only one batch are in memory. Only the results of the function are sent
/// to the iterating task, so the results must be `Sendable` and cannot be managed objects.
///
/// This is an addition to Apple's API.
///
/// > Concurrency: May be iterated in any task. In a canceled task, the iteration throws
/// > `CancellationError` instead of reading the next batch.
public struct FetchedValues<Object: NSManagedObject, Element: Sendable>: AsyncSequence {
  /// The type of the errors that an iteration throws: errors from reads and from the function.
  public typealias Failure = any Error

  fileprivate let context: NSManagedObjectContext
  fileprivate let request: NSFetchRequest<Object>
  fileprivate let batchSize: Int
  fileprivate let transform: @Sendable (Object) throws -> Element

  /// Begins an iteration. The first call to `next()` fetches the ids.
  ///
  /// - Returns: The iterator.
  public func makeAsyncIterator() -> Iterator {
    Iterator(BatchCursor(context, request, batchSize: batchSize), transform)
  }

  /// An iterator over the results of the function.
  ///
  /// > Concurrency: Use an iterator in one task only.
  public struct Iterator: AsyncIteratorProtocol {
    private let cursor: BatchCursor<Object>
    private let transform: @Sendable (Object) throws -> Element
    /// The values of the most recently read batch, in reverse order.
    private var values: [Element] = []

    fileprivate init(
      _ cursor: BatchCursor<Object>, _ transform: @escaping @Sendable (Object) throws -> Element
    ) {
      self.cursor = cursor
      self.transform = transform
    }

    /// Returns the next result of the function.
    ///
    /// - Returns: The result; nil at the end of the sequence.
    /// - Throws: Any error from the fetch, from a later read, or from the function;
    ///   `CancellationError` if the task is canceled and the call has to read a new batch.
    public mutating func next() async throws -> Element? { try await next(isolation: nil) }

    /// Returns the next result of the function, in the isolation of an actor.
    ///
    /// The call leaves the actor only to read a new batch on the context's queue.
    ///
    /// - Parameter actor: The actor that iterates; nil if the caller is not isolated to an actor.
    /// - Returns: The result; nil at the end of the sequence.
    /// - Throws: Any error from the fetch, from a later read, or from the function;
    ///   `CancellationError` if the task is canceled and the call has to read a new batch.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
      if values.isEmpty {
        let transform = transform
        values = try await cursor.next(isolation: actor) { try $0.map(transform).reversed() } ?? []
      }
      return values.popLast()
    }
  }
}

/// Reads the batches of a fetch one at a time, on the context's queue.
// Invariant of the unchecked conformance: all fields except the context are used only on the
// context's queue.
private final class BatchCursor<Object: NSManagedObject>: @unchecked Sendable {
  private let context: NSManagedObjectContext
  private let request: NSFetchRequest<Object>
  private let batchSize: Int
  private var batches: FetchedBatches?
  private var position = 0

  init(_ context: NSManagedObjectContext, _ request: NSFetchRequest<Object>, batchSize: Int) {
    self.context = context
    self.request = request
    self.batchSize = batchSize
  }

  /// Calls a function with the objects of the next batch, on the context's queue.
  ///
  /// - Returns: The result of the function; nil after the last batch.
  func next<Result>(
    isolation actor: isolated (any Actor)?, _ body: @escaping @Sendable ([Object]) throws -> Result
  ) async throws -> Result? {
    try Task.checkCancellation()
    let interruption = ReadInterruption()
    return try await withTaskCancellationHandler {
      try await context.perform { [self] in
        let batches = try batches ?? begin(interruption)
        self.batches = batches
        guard position * batches.batchSize < batches.count else { return nil }
        defer { position += 1 }
        return try read(batches, body)
      }
    } onCancel: {
      interruption.interrupt()
    }
  }

  /// Reads the batch at the current position, and calls a function with its objects.
  ///
  /// - Throws: The error of a failed read, including a read that the function causes; the error of
  ///   the function.
  private func read<Result>(
    _ batches: FetchedBatches, _ body: ([Object]) throws -> Result
  ) throws -> Result {
    try surfacingErrors {
      try context.throwingFailedReads {
        let objects = try batches.load(batch: position) { throw $0 }
        return try body(objects.compactMap { $0 as? Object })
      }
    }
  }

  /// Fetches the ids.
  ///
  /// - Throws: The error of the fetch; `CancellationError` if the task is canceled during the
  ///   fetch.
  private func begin(_ interruption: ReadInterruption) throws -> FetchedBatches {
    do {
      return try context.source.interruptible(by: interruption) {
        try FetchedBatches(of: request, in: context, batchSize: batchSize)
      }
    } catch let error as CocoaError where error.code == .userCancelled {
      throw CancellationError()
    }
  }
}

extension NSManagedObjectContext {
  /// Returns an asynchronous sequence of the values that a function returns for each fetched
  /// object.
  ///
  /// ```swift
  /// for try await title in context.results(of: request, batchSize: 200, { $0.title }) {
  ///   print(title)
  /// }
  /// ```
  ///
  /// The objects are read in batches. Objects that the function changes stay in the context until
  /// the context is saved. To use the objects themselves on the context's queue, call
  /// ``fetchLazily(_:)`` instead.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - request: A request for objects. The method copies the request.
  ///   - batchSize: The number of rows to read at once. A value above 1,000 counts as 1,000. A
  ///     value less than 1 selects the request's batch size, or 500 if this size is less than 1 as
  ///     well.
  ///   - transform: The function that converts an object to a value, called on the context's queue.
  /// - Returns: The sequence, which does not read anything until it is iterated. The iteration
  ///   throws the errors of the fetch and of the function, and `CocoaError` 134060 if the request
  ///   is not for objects.
  /// > Concurrency: Callable from any thread. The sequence reads on the context's queue.
  @preconcurrency public func results<Object: NSManagedObject, Element: Sendable>(
    of request: NSFetchRequest<Object>, batchSize: Int = 0,
    _ transform: @escaping @Sendable (Object) throws -> Element
  ) -> FetchedValues<Object, Element> {
    FetchedValues(
      context: self, request: NSFetchRequest<Object>(copying: request), batchSize: batchSize,
      transform: transform)
  }

  /// Calls a closure with each batch of the fetched objects.
  ///
  /// The ids are fetched first. The method reads each batch, passes the batch to the closure on the
  /// context's queue, and then releases the batch. The objects of only one batch are therefore in
  /// memory. Other work may run on the queue between batches. The closure may save the context.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - request: A request for objects. The method copies the request.
  ///   - batchSize: The number of rows to read at once. A value above 1,000 counts as 1,000. A
  ///     value less than 1 selects the request's batch size, or 500 if this size is less than 1 as
  ///     well.
  ///   - body: The closure, called on the context's queue with the objects of a batch.
  /// - Throws: Any error from the fetch, from a later read, or from the closure; `CocoaError`
  ///   134060 if the request is not for objects; `CancellationError` in a canceled task.
  /// > Concurrency: Callable from any task. The closure runs on the context's queue.
  @preconcurrency public func forEachBatch<Object: NSManagedObject>(
    of request: NSFetchRequest<Object>, batchSize: Int = 0,
    _ body: @escaping @Sendable ([Object]) throws -> Void
  ) async throws {
    let cursor = BatchCursor(
      self, NSFetchRequest<Object>(copying: request), batchSize: batchSize)
    while try await cursor.next(isolation: nil, body) != nil {}
  }
}
