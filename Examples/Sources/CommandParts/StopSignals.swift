import Dispatch
import Foundation

/// The signals that stop a command: SIGINT and SIGTERM.
public struct StopSignals {
  private let arrivals: AsyncStream<Void>
  private let sources: [any DispatchSourceSignal]

  private static let numbers = [SIGINT, SIGTERM]

  /// The time in seconds that the requests to a server have to finish after a signal.
  public static let gracePeriod = 2.0

  /// Starts listening. From then on, the first signal does not end the process.
  public init() {
    let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self)
    self.arrivals = arrivals
    sources = Self.numbers.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield() }
      source.resume()
      return source
    }
  }

  /// Waits for the first signal or the end of the task. The next signal ends the process.
  public func first() async {
    await Self.first(of: arrivals)
    for source in sources { source.cancel() }
  }

  private static func first(of arrivals: AsyncStream<Void>) async {
    for await _ in arrivals { break }
    for number in numbers { signal(number, SIG_DFL) }
  }

  /// Runs work until it finishes or a signal cancels it.
  ///
  /// - Parameter work: The work. It must end soon after cancellation.
  /// - Throws: Any error from the work, unless a signal has canceled it.
  public static func ending(_ work: @escaping @Sendable () async throws -> Void) async throws {
    let (task, isStopped) = await ended(work)
    do { try await task.value } catch { if !isStopped { throw error } }
  }

  /// Starts a server, prints a line, and waits for a signal. The caller then stops the server.
  ///
  /// - Parameter start: A closure that starts the server and returns the line to print.
  /// - Throws: Any error from the closure, unless a signal has canceled it.
  public static func serving(
    _ start: @escaping @Sendable () async throws -> String
  ) async throws {
    try await ending {
      print(try await start())
      Terminal.flush()
      try await Terminal.waitUntilEnded()
    }
  }

  /// Runs work that a signal cancels, and returns its result.
  ///
  /// - Parameter work: The work. After cancellation, it must soon return what it has done so far, or throw.
  /// - Throws: Any error from the work.
  public static func cancelling<Result: Sendable>(
    _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await ended(work).task.value
  }

  /// Runs work until it ends, and returns its task, and whether a signal has canceled it.
  private static func ended<Result: Sendable>(
    _ work: @escaping @Sendable () async throws -> Result
  ) async -> (task: Task<Result, any Error>, isStopped: Bool) {
    let signals = StopSignals()
    let task = Task { try await work() }
    let waiting = Task { [arrivals = signals.arrivals] in
      await Self.first(of: arrivals)
      task.cancel()
    }
    defer {
      waiting.cancel()
      for source in signals.sources { source.cancel() }
    }
    _ = await task.result
    // The end of the waiting task also cancels the work's task, which has then ended.
    return (task, task.isCancelled)
  }
}
