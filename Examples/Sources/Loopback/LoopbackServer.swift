public import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

/// An HTTP server on a port of the loopback address.
///
/// Owns the listening socket.
public actor LoopbackServer {
  private let wantedPort: UInt16
  private let handler: RequestCounter
  /// The time for sending the last responses while the server stops, in seconds.
  private static let sendingTime = 0.2
  /// The maximum time for requests to finish while the server stops, in seconds.
  private static let longestStop = 86_400.0
  private var server: HTTPServer?
  private var running: Task<Void, Never>?
  /// The port while the server listens.
  public private(set) var port: UInt16?

  /// Creates a server that is not yet listening.
  ///
  /// - Parameters:
  ///   - port: The port; with zero, the system chooses one.
  ///   - handler: The handler of requests.
  public init(port: UInt16, handler: any HTTPHandler) {
    wantedPort = port
    self.handler = RequestCounter(handler)
  }

  /// Starts listening.
  ///
  /// - Returns: The port.
  /// - Throws: `LoopbackServerError` if the port is unavailable or the server is already running.
  @discardableResult
  public func start() async throws -> UInt16 {
    guard server == nil else { throw error(.alreadyStarted, underlying: nil) }
    let server = try makeServer()
    self.server = server
    handler.isRefusing.store(false, ordering: .relaxed)
    let failure = FirstFailure()
    running = Task {
      do { try await server.run() } catch { failure.note(error) }
    }
    let port = try await listeningPort(of: server, failure: failure)
    self.port = port
    return port
  }

  /// Stops listening and drops all connections; a stopped server can be started again.
  ///
  /// - Parameter seconds: The maximum time for requests in progress to finish, at most a day. Until then, the server still accepts
  ///   requests; afterwards, it answers with status 503 while it sends the last responses.
  public func stop(within seconds: Double = 0) async {
    let seconds = seconds > 0 ? min(seconds, Self.longestStop) : 0
    port = nil
    if seconds > 0 {
      await handler.waitUntilNone(within: seconds)
      handler.isRefusing.store(true, ordering: .relaxed)
      // A canceled sleep stops the server at once.
      try? await Task.sleep(for: .seconds(min(seconds, Self.sendingTime)))
    }
    // The server's task closes the listening socket after all tasks of the server have ended. `HTTPServer.stop`
    // would close the socket first, and a task that still used its descriptor could reach the socket of another server.
    running?.cancel()
    await running?.value
    server = nil
    running = nil
  }

  private func makeServer() throws -> HTTPServer {
    let address: sockaddr_in
    do {
      address = try sockaddr_in.inet(ip4: "127.0.0.1", port: wantedPort)
    } catch let cause {
      throw error(.notListening, underlying: cause)
    }
    return HTTPServer(address: address, timeout: 86_400, logger: .disabled, handler: handler)
  }

  /// Waits until the socket is listening; a failure to bind ends the wait.
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

  private func error(
    _ code: LoopbackServerError.Code, underlying: (any Error)?
  ) -> LoopbackServerError {
    LoopbackServerError(code: code, port: wantedPort, underlying: underlying)
  }
}
