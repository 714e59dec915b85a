internal import Foundation
internal import OpenStoreContract

/// What a function makes of each object that a fetch finds, as an asynchronous sequence in bounded memory.
///
/// Made by ``NSManagedObjectContext/results(of:batchSize:_:)``. The ids are fetched when the iteration begins;
/// the rows are read and the function is run batch by batch on the context's queue, and the objects of a batch
/// are let go before the next one is read. What crosses to the iterating task are the function's values only,
/// which is why they have to be `Sendable` and objects cannot be the elements.
///
/// An addition.
///
/// > Concurrency: May be iterated by any task. A cancelled task makes the iteration throw `CancellationError`.
public struct FetchedValues<Object: NSManagedObject, Element: Sendable>: AsyncSequence {
  /// What the iteration may throw: what the fetch or the function throws.
  public typealias Failure = any Error

  fileprivate let context: NSManagedObjectContext
  fileprivate let request: NSFetchRequest<Object>
  fileprivate let batchSize: Int
  fileprivate let transform: @Sendable (Object) throws -> Element

  /// Begins an iteration.
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
    /// - Throws: What the fetch or the function throws; `CancellationError` in a cancelled task.
    public mutating func next() async throws -> Element? { try await next(isolation: nil) }

    /// The next value; nil after the last one.
    ///
    /// A loop calls it where it runs itself, so that only a new batch changes threads.
    ///
    /// - Parameter actor: The actor of the caller.
    /// - Throws: What the fetch or the function throws; `CancellationError` in a cancelled task.
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
  /// What a function makes of each object that a fetch finds, batch by batch.
  ///
  /// ```swift
  /// for try await title in context.results(of: request, batchSize: 200, { $0.title }) {
  ///   print(title)
  /// }
  /// ```
  ///
  /// Objects that the function changes stay in the context until it is saved.
  ///
  /// An addition. On the context's queue, walk over ``fetchLazily(_:)`` for the objects themselves.
  ///
  /// - Parameters:
  ///   - request: A request for objects; copied.
  ///   - batchSize: Rows to read at once, at most 1,000; 0 for the request's own batch size, or 500.
  ///   - transform: Makes a value of an object, on the context's queue.
  /// - Returns: The sequence; nothing is read before it is iterated.
  /// > Concurrency: Any thread; the sequence does its work on the context's queue.
  @preconcurrency public func results<Object: NSManagedObject, Element: Sendable>(
    of request: NSFetchRequest<Object>, batchSize: Int = 0,
    _ transform: @escaping @Sendable (Object) throws -> Element
  ) -> FetchedValues<Object, Element> {
    FetchedValues(
      context: self, request: NSFetchRequest<Object>(copying: request), batchSize: batchSize,
      transform: transform)
  }

  /// Runs a block for each batch of the objects that a fetch finds, in bounded memory.
  ///
  /// The ids are fetched first; then each batch is read and given to the block on the context's queue, and let
  /// go before the next one is read. Between batches other work may run on the queue. The block may save.
  ///
  /// An addition.
  ///
  /// - Parameters:
  ///   - request: A request for objects; copied.
  ///   - batchSize: Rows to read at once, at most 1,000; 0 for the request's own batch size, or 500.
  ///   - body: Uses the objects of a batch, on the context's queue.
  /// - Throws: What the fetch or the block throws; `CancellationError` in a cancelled task.
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
