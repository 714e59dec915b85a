internal import Dispatch
internal import OpenObjectGraph

/// An executor that runs the work with one context.
///
/// > Reference: Apple, ModelExecutor.
public protocol ModelExecutor: Executor {
  /// The context.
  var modelContext: ModelContext { get }
}

/// A model executor that runs one job at a time.
///
/// > Reference: Apple, SerialModelExecutor.
public protocol SerialModelExecutor: ModelExecutor, SerialExecutor {}

/// Runs the jobs of a model actor one by one, on a separate queue and never on the main thread.
///
/// What other contexts save is taken over between two jobs. A model of the context that is used elsewhere is noticed as a concurrency
/// violation, see `NSManagedObjectContext.reportsConcurrencyViolations`.
///
/// > Concurrency: Usable on any thread; the context is used by the executor's jobs only.
/// > Reference: Apple, DefaultSerialModelExecutor. Differs: D-375.
// Invariant of the unchecked conformance: immutable; the context is used on the queue only.
public final class DefaultSerialModelExecutor: @unchecked Sendable, SerialModelExecutor {
  public final let modelContext: ModelContext
  private let queue = DispatchQueue(label: "OpenSwiftData.ModelExecutor")
  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  /// Creates the executor of a context. Use the context only in the executor afterwards.
  public init(modelContext: ModelContext) {
    self.modelContext = modelContext
    queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
    let id = ObjectIdentifier(self)
    modelContext.graph.becomeVisited(
      by: { DispatchQueue.getSpecific(key: Self.key) == id },
      wake: { [weak self] in self?.takeOverChanges() })
    modelContext.graph.setWake { [weak self] in self?.takeOverChanges() }
  }

  private func takeOverChanges() {
    queue.async { [weak self] in self?.modelContext.graph.takeOverChanges() }
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  /// Whether the calling code runs as one of the executor's jobs.
  ///
  /// - Returns: `true` if the calling code runs as one of the executor's jobs; nil if it is unknown.
  public func isIsolatingCurrentContext() -> Bool? {
    DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self)
  }

  public func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
