public import Foundation
import Loopback

/// A server that serves a site on a port of the loopback address.
///
/// The server owns the HTTP server and the ticking of the clock; callers may use the site directly at the same time.
public actor ForumServer {
  /// The served site.
  public nonisolated let site: ForumSite
  /// The options with which the server was created.
  public nonisolated let options: ForumServerOptions

  private nonisolated let faultBook = FaultBook()
  private nonisolated let counterBook = CounterBook()
  private nonisolated let server: LoopbackServer
  private var ticker: Task<Void, Never>?

  /// Creates a server, which does not listen until `start()` is called.
  public init(site: ForumSite, options: ForumServerOptions = ForumServerOptions()) {
    self.site = site
    self.options = options
    server = LoopbackServer(
      port: options.port,
      handler: RequestHandler(
        site: site, markup: options.markup, charset: options.charset,
        isControlEnabled: options.isControlEnabled,
        faults: faultBook, counters: counterBook))
  }

  /// The address of the site; `nil` if the server is not running.
  public var baseURL: URL? {
    get async { await server.port.flatMap { URL(string: "http://127.0.0.1:\($0)/") } }
  }

  /// The counters of the server's activity.
  public nonisolated var counters: ServerCounters { counterBook.current }

  /// The active faults, in the order in which they are tried.
  public nonisolated var faults: [Fault] { faultBook.faults }

  /// Activates a fault.
  public nonisolated func addFault(_ fault: Fault) {
    faultBook.add(fault)
  }

  /// Removes all faults; stalled responses continue.
  public nonisolated func clearFaults() {
    faultBook.clear()
  }

  /// Resets all counters to zero.
  public nonisolated func resetCounters() {
    counterBook.reset()
  }

  /// Starts to listen.
  ///
  /// - Returns: The port.
  /// - Throws: `LoopbackServerError` if the port is not available or the server is already running.
  @discardableResult
  public func start() async throws -> UInt16 {
    let port = try await server.start()
    if options.speed > 0 { ticker = makeTicker() }
    return port
  }

  /// Stops listening and closes all connections; a stopped server can be started again.
  public func stop() async {
    await server.stop()
    ticker?.cancel()
    await ticker?.value
    ticker = nil
  }

  /// Returns a task that advances virtual time with real time.
  private func makeTicker() -> Task<Void, Never> {
    let site = site
    let speed = options.speed
    return Task {
      let start = ContinuousClock.now
      var passed = 0
      while !Task.isCancelled {
        let target = Int((ContinuousClock.now - start) / .milliseconds(1) * Double(speed) / 1_000)
        if target > passed { site.advance(seconds: target - passed) }
        passed = max(passed, target)
        // A canceled sleep ends the loop at its condition.
        try? await Task.sleep(for: .milliseconds(100))
      }
    }
  }
}
