import Dispatch
import Foundation

/// The signals that end the command: SIGINT and SIGTERM.
struct StopSignals {
  private let arrivals: AsyncStream<Void>
  private let sources: [any DispatchSourceSignal]

  /// Starts to listen; from here on the signals no longer kill the process.
  init() {
    let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self)
    self.arrivals = arrivals
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield() }
      source.resume()
      return source
    }
  }

  /// Waits for the first signal.
  func first() async {
    for await _ in arrivals { break }
    for source in sources { source.cancel() }
  }
}
