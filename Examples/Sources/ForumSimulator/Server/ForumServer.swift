public import Foundation
import Loopback

/// A site behind a port of the loopback address.
///
/// Owns the server and the ticking of the clock; the site may be used beside it.
public actor ForumServer {
  /// The site that is served.
  public nonisolated let site: ForumSite
  /// The options the server was made with.
  public nonisolated let options: ForumServerOptions

  private nonisolated let faultBook = FaultBook()
  private nonisolated let counterBook = CounterBook()
  private nonisolated let server: LoopbackServer
  private var ticker: Task<Void, Never>?

  /// Makes a server that does not listen yet.
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

  /// The address of the site while the server runs.
  public var baseURL: URL? {
    get async { await server.port.flatMap { URL(string: "http://127.0.0.1:\($0)/") } }
  }

  /// What the server has done so far.
  public nonisolated var counters: ServerCounters { counterBook.current }

  /// The faults in force, in the order they are tried.
  public nonisolated var faults: [Fault] { faultBook.faults }

  /// Puts a fault in force.
  public nonisolated func addFault(_ fault: Fault) {
    faultBook.add(fault)
  }

  /// Ends all faults; stalled answers go on.
  public nonisolated func clearFaults() {
    faultBook.clear()
  }

  /// Sets all counters to zero.
  public nonisolated func resetCounters() {
    counterBook.reset()
  }

  /// Begins to listen.
  ///
  /// - Returns: The port.
  /// - Throws: `LoopbackServerError` when the port cannot be had or the server runs already.
  @discardableResult
  public func start() async throws -> UInt16 {
    let port = try await server.start()
    if options.speed > 0 { ticker = makeTicker() }
    return port
  }

  /// Stops listening and drops all connections; a stopped server can be started again.
  public func stop() async {
    await server.stop()
    ticker?.cancel()
    await ticker?.value
    ticker = nil
  }

  /// Lets virtual time pass with real time.
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
        // A cancelled sleep ends the loop at its condition.
        try? await Task.sleep(for: .milliseconds(100))
      }
    }
  }
}
