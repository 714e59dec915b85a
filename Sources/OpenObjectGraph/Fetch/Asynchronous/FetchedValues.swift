internal import Foundation
internal import OpenStoreContract

/// The results of a function for each fetched object, as an asynchronous sequence in bounded memory.
///
/// Returned by ``NSManagedObjectContext/results(of:batchSize:_:)``. The ids are fetched when the iteration starts.
/// The rows are read and the function is called in batches on the context's queue, and the objects of a batch are
/// released before the next batch is read. Only the function's results are sent to the iterating task, so they must
/// be `Sendable` and cannot be objects.
///
/// An addition to Apple's API.
///
/// > Concurrency: May be iterated by any task. A cancelled task makes the iteration throw `CancellationError`.
public struct FetchedValues<Object: NSManagedObject, Element: Sendable>: AsyncSequence {
  /// The type of the errors of the iteration: those of the fetch and the function.
  public typealias Failure = any Error

  fileprivate let context: NSManagedObjectContext
  fileprivate let request: NSFetchRequest<Object>
  fileprivate let batchSize: Int
  fileprivate let transform: @Sendable (Object) throws -> Element

  /// Begins an iteration.
  ///
  /// - Returns: The iterator.
  public func makeAsyncIterator() -> Iterator {
    Iterator(BatchCursor(context, request, batchSize: batchSize), transform)
  }

  /// One iteration.
  ///
  /// > Concurrency: Used by one task.
  public struct Iterator: AsyncIteratorProtocol {
    private let cursor: BatchCursor<Object>
    private let transform: @Sendable (Object) throws -> Element
    /// Values of the batch read last, in reverse order.
    private var values: [Element] = []

    fileprivate init(
      _ cursor: BatchCursor<Object>, _ transform: @escaping @Sendable (Object) throws -> Element
    ) {
      self.cursor = cursor
      self.transform = transform
    }

    /// The next value; nil after the last one.
    ///
    /// - Returns: The next element; nil at the end of the sequence.
    /// - Throws: The error of the fetch or the function; `CancellationError` in a cancelled task.
    public mutating func next() async throws -> Element? { try await next(isolation: nil) }

    /// The next value; nil after the last one.
    ///
    /// A loop calls it on its own actor, so only a new batch changes threads.
    ///
    /// - Parameter actor: The actor of the caller.
    /// - Returns: The next element; nil at the end of the sequence.
    /// - Throws: The error of the fetch or the function; `CancellationError` in a cancelled task.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
      if values.isEmpty {
        let transform = transform
        values = try await cursor.next(isolation: actor) { try $0.map(transform).reversed() } ?? []
      }
      return values.popLast()
    }
  }
}

/// Walks over the batches of a fetch, on the context's queue.
// Invariant of the unchecked conformance: everything but the context is used on the context's queue only.
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

  /// Runs a block with the objects of the next batch on the context's queue; nil when there is none.
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
        return try body(batches.load(batch: position).compactMap { $0 as? Object })
      }
    } onCancel: {
      interruption.interrupt()
    }
  }

  /// Fetches the ids, unless the task is cancelled meanwhile.
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
  /// Returns the results of a function for each fetched object, in batches.
  ///
  /// ```swift
  /// for try await title in context.results(of: request, batchSize: 200, { $0.title }) {
  ///   print(title)
  /// }
  /// ```
  ///
  /// Objects that the function changes stay in the context until it is saved.
  ///
  /// An addition to Apple's API. To use the objects themselves on the context's queue, iterate over ``fetchLazily(_:)``.
  ///
  /// - Parameters:
  ///   - request: A request for objects; copied.
  ///   - batchSize: Rows to read at once, at most 1,000; 0 for the request's own batch size, or 500.
  ///   - transform: Converts an object to a value, on the context's queue.
  /// - Returns: The sequence; nothing is read until it is iterated.
  /// > Concurrency: Any thread; the sequence works on the context's queue.
  @preconcurrency public func results<Object: NSManagedObject, Element: Sendable>(
    of request: NSFetchRequest<Object>, batchSize: Int = 0,
    _ transform: @escaping @Sendable (Object) throws -> Element
  ) -> FetchedValues<Object, Element> {
    FetchedValues(
      context: self, request: NSFetchRequest<Object>(copying: request), batchSize: batchSize,
      transform: transform)
  }

  /// Calls a block for each batch of the fetched objects, in bounded memory.
  ///
  /// The ids are fetched first. Then each batch is read, passed to the block on the context's queue, and released
  /// before the next batch is read. Other work may run on the queue between batches. The block may save.
  ///
  /// An addition to Apple's API.
  ///
  /// - Parameters:
  ///   - request: A request for objects; copied.
  ///   - batchSize: Rows to read at once, at most 1,000; 0 for the request's own batch size, or 500.
  ///   - body: Uses the objects of a batch, on the context's queue.
  /// - Throws: The error of the fetch or the block; `CancellationError` in a cancelled task.
  /// > Concurrency: Any task; the block runs on the context's queue.
  @preconcurrency public func forEachBatch<Object: NSManagedObject>(
    of request: NSFetchRequest<Object>, batchSize: Int = 0,
    _ body: @escaping @Sendable ([Object]) throws -> Void
  ) async throws {
    let cursor = BatchCursor(
      self, NSFetchRequest<Object>(copying: request), batchSize: batchSize)
    while try await cursor.next(isolation: nil, body) != nil {}
  }
}
