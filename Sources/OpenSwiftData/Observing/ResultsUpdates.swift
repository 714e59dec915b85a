internal import Synchronization

/// The results of an observer, initially and after each change, as an asynchronous sequence.
///
/// ```swift
/// for await books in observer.updates { show(Array(books)) }
/// ```
///
/// > Concurrency: Confined, as the observer; iterate it in the task or actor that uses the context.
///
/// This is an addition to Apple's API.
public struct ResultsUpdates<Model: PersistentModel, SectionTitle: Hashable>: AsyncSequence {
  public typealias Element = FetchResultsCollection<Model>
  public typealias Failure = Never

  private let observer: ResultsObserver<Model, SectionTitle>

  init(_ observer: ResultsObserver<Model, SectionTitle>) { self.observer = observer }

  public func makeAsyncIterator() -> Iterator { Iterator(observer) }

  /// One iteration.
  public struct Iterator: AsyncIteratorProtocol {
    private let observer: ResultsObserver<Model, SectionTitle>
    private var changes: AsyncStream<Void>.Iterator?

    init(_ observer: ResultsObserver<Model, SectionTitle>) { self.observer = observer }

    /// The results after the next change, initially the current results; nil when the task was cancelled.
    ///
    /// - Returns: The next element; nil at the end of the sequence.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> FetchResultsCollection<Model>? {
      guard changes != nil else {
        changes = observer.makeSignals().makeAsyncIterator()
        return observer.results
      }
      guard await changes?.next(isolation: actor) != nil else { return nil }
      return observer.results
    }
  }
}

/// Tells sequences of changes.
///
/// > Concurrency: Shared.
final class ChangeSignals: Sendable {
  private let continuations = Mutex<[AsyncStream<Void>.Continuation]>([])

  func make() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    continuations.withLock { $0.append(continuation) }
    return stream
  }

  func send() {
    continuations.withLock { continuations in
      continuations.removeAll { continuation in
        if case .terminated = continuation.yield() { return true }
        return false
      }
    }
  }

  deinit {
    for continuation in continuations.withLock({ $0 }) { continuation.finish() }
  }
}
