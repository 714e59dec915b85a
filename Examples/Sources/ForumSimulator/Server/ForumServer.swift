import FlyingFox
import FlyingSocks
public import Foundation

/// A site behind a port of the loopback address.
///
/// Owns the listening socket and the ticking of the clock; the site may be used beside it.
public actor ForumServer {
  /// The site that is served.
  public nonisolated let site: ForumSite
  /// The options the server was made with.
  public nonisolated let options: ForumServerOptions

  private nonisolated let faultBook = FaultBook()
  private nonisolated let counterBook = CounterBook()
  private var server: HTTPServer?
  private var tasks: [Task<Void, Never>] = []
  private var port: UInt16?

  /// Makes a server that does not listen yet.
  public init(site: ForumSite, options: ForumServerOptions = ForumServerOptions()) {
    self.site = site
    self.options = options
  }

  /// The address of the site while the server runs.
  public var baseURL: URL? {
    port.flatMap { URL(string: "http://127.0.0.1:\($0)/") }
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
  /// - Throws: `ForumServerError` when the port cannot be had or the server runs already.
  @discardableResult
  public func start() async throws -> UInt16 {
    guard server == nil else { throw error(.alreadyStarted, underlying: nil) }
    let server = try makeServer()
    self.server = server
    let failure = FirstFailure()
    tasks.append(
      Task {
        do { try await server.run() } catch { failure.note(error) }
      })
    let port = try await listeningPort(of: server, failure: failure)
    self.port = port
    if options.speed > 0 { tasks.append(makeTicker()) }
    return port
  }

  /// Stops listening and drops all connections; a stopped server can be started again.
  public func stop() async {
    let running = tasks
    tasks = []
    port = nil
    await server?.stop(timeout: 0)
    server = nil
    for task in running { task.cancel() }
    for task in running { await task.value }
  }

  private func makeServer() throws -> HTTPServer {
    let handler = RequestHandler(
      site: site, markup: options.markup, isControlEnabled: options.isControlEnabled,
      faults: faultBook, counters: counterBook)
    let address: sockaddr_in
    do {
      address = try sockaddr_in.inet(ip4: "127.0.0.1", port: options.port)
    } catch let cause {
      throw error(.notListening, underlying: cause)
    }
    return HTTPServer(
      address: address, timeout: 86_400, logger: .disabled, handler: handler)
  }

  /// Waits until the socket listens; a failure to bind ends the wait.
  private func listeningPort(
    of server: HTTPServer, failure: FirstFailure
  ) async throws -> UInt16 {
    while failure.error == nil {
      if case .ip4(_, let port) = await server.listeningAddress { return port }
      do {
        try await Task.sleep(for: .milliseconds(2))
      } catch let cause {
        failure.note(cause)
      }
    }
    await stop()
    throw error(.notListening, underlying: failure.error)
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

  private func error(
    _ code: ForumServerError.Code, underlying: (any Error)?
  ) -> ForumServerError {
    ForumServerError(code: code, port: options.port, underlying: underlying)
  }
}
