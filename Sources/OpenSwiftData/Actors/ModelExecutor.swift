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

/// An executor that runs the jobs of a model actor one at a time, on a separate queue and never on
/// the main thread.
///
/// Between two jobs, the context merges the changes that other contexts saved. Using the context or
/// one of its models outside the executor's jobs is a concurrency violation. See
/// `NSManagedObjectContext.reportsConcurrencyViolations`.
///
/// > Concurrency: Any thread may use the executor. Only the executor's jobs may use the context.
/// > Reference: Apple, DefaultSerialModelExecutor. Differs: D-375.
// Invariant of the unchecked conformance: the executor is immutable, and its context is used only
// on the queue.
public final class DefaultSerialModelExecutor: @unchecked Sendable, SerialModelExecutor {
  public final let modelContext: ModelContext
  private let queue = DispatchQueue(label: "OpenSwiftData.ModelExecutor")
  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  /// Creates an executor for a context. Afterwards, only the executor's jobs may use the context.
  ///
  /// The initializer sets ``ModelContext/autosaveEnabled`` to `false`, because automatic saves
  /// would use the context outside the executor's jobs.
  ///
  /// - Parameter modelContext: The context that the jobs use.
  public init(modelContext: ModelContext) {
    self.modelContext = modelContext
    modelContext.autosaveEnabled = false
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

  /// Returns whether the caller runs in a job of the executor. The result is never `nil`.
  ///
  /// - Returns: `true` if the caller runs in a job of the executor; otherwise `false`.
  public func isIsolatingCurrentContext() -> Bool? {
    DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self)
  }

  public func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
