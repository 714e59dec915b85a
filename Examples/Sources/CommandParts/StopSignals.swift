import Dispatch
import Foundation

/// The signals that stop a command: SIGINT and SIGTERM.
public struct StopSignals {
  private let arrivals: AsyncStream<Void>
  private let sources: [any DispatchSourceSignal]

  private static let numbers = [SIGINT, SIGTERM]

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
  /// - Throws: Any error from the work, unless a signal has cancelled it.
  public static func ending(_ work: @escaping @Sendable () async throws -> Void) async throws {
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
    do { try await task.value } catch { if !task.isCancelled { throw error } }
  }
}
