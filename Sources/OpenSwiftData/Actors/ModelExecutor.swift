internal import Dispatch
internal import OpenObjectGraph

/// An executor for jobs that use a model context.
///
/// > Reference: Apple, ModelExecutor.
public protocol ModelExecutor: Executor {
  /// The context that the jobs use.
  var modelContext: ModelContext { get }
}

/// A model executor that runs one job at a time.
///
/// > Reference: Apple, SerialModelExecutor.
public protocol SerialModelExecutor: ModelExecutor, SerialExecutor {}

/// An executor that runs the jobs of a model actor one at a time.
///
/// If the context is a container's main context, the jobs run on the main queue. Otherwise, the
/// jobs run on a separate queue, and never on the main thread.
///
/// Between two jobs, the context merges the changes that other contexts saved. Unless the context
/// is a main context, using the context or its models outside the executor's jobs is a concurrency
/// violation. See `NSManagedObjectContext.reportsConcurrencyViolations`.
///
/// > Concurrency: Any thread may use the executor. Only the executor's jobs may use the context,
/// > unless the context is a main context.
/// > Reference: Apple, DefaultSerialModelExecutor. Differs: D-375.
// Invariant of the unchecked conformance: the executor is immutable, and its context is used only
// on the queue.
public final class DefaultSerialModelExecutor: @unchecked Sendable, SerialModelExecutor {
  public final let modelContext: ModelContext
  private let queue: DispatchQueue
  private let runsOnMainQueue: Bool
  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  /// Creates an executor for a context.
  ///
  /// Afterward, only the executor's jobs may use the context. If the context is the main context of
  /// a container, code on the main actor may also use the context.
  ///
  /// - Parameter modelContext: The context that the jobs use.
  public init(modelContext: ModelContext) {
    self.modelContext = modelContext
    runsOnMainQueue = modelContext.graph.concurrencyType == .mainQueueConcurrencyType
    queue = runsOnMainQueue ? .main : DispatchQueue(label: "OpenSwiftData.ModelExecutor")
    // A main context already belongs to the main queue.
    if runsOnMainQueue { return }
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

  /// Returns whether the caller runs in a job of the executor, or, if the context is a main
  /// context, on the main queue.
  ///
  /// - Returns: `true` or `false`; never `nil`.
  public func isIsolatingCurrentContext() -> Bool? {
    if runsOnMainQueue { return MainQueue.isCurrent }
    return DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self)
  }

  public func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
