internal import Synchronization

/// An asynchronous sequence of an observer's current results, followed by the results after each
/// change.
///
/// ```swift
/// for await books in observer.updates { show(Array(books)) }
/// ```
///
/// > Concurrency: Confined to the actor or task that uses the observer's context.
///
/// This is an addition to Apple's API.
public struct ResultsUpdates<Model: PersistentModel, SectionTitle: Hashable>: AsyncSequence {
  public typealias Element = FetchResultsCollection<Model>
  public typealias Failure = Never

  private let observer: ResultsObserver<Model, SectionTitle>

  init(_ observer: ResultsObserver<Model, SectionTitle>) { self.observer = observer }

  public func makeAsyncIterator() -> Iterator { Iterator(observer) }

  /// The iterator of the sequence.
  public struct Iterator: AsyncIteratorProtocol {
    private let observer: ResultsObserver<Model, SectionTitle>
    private var changes: AsyncStream<Void>.Iterator?
    /// The number of changes that the most recent element includes.
    private var knownCount = 0

    init(_ observer: ResultsObserver<Model, SectionTitle>) { self.observer = observer }

    /// Returns the next results.
    ///
    /// The first call returns the current results. Each later call waits for the next change, and
    /// then returns the changed results.
    ///
    /// - Parameter actor: The actor that iterates over the sequence; `nil` if the caller is not
    ///   isolated to an actor.
    /// - Returns: The results; `nil` if the task is canceled while the call waits.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> FetchResultsCollection<Model>? {
      guard changes != nil else {
        changes = observer.makeSignals().makeAsyncIterator()
        return results()
      }
      // The results can change when they are read, so the last element may include the change.
      repeat {
        guard await changes?.next(isolation: actor) != nil else { return nil }
      } while observer.changeCount == knownCount
      return results()
    }

    private mutating func results() -> FetchResultsCollection<Model> {
      let results = observer.results
      knownCount = observer.changeCount
      return results
    }
  }
}

/// Notifies asynchronous sequences of changes.
///
/// > Concurrency: Any thread.
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
