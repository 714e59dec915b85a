import Foundation
import Loopback
import Synchronization

/// The source of the pages of a site.
public protocol WebPageSource: Sendable {
  /// Returns the response to a request from an authorized browser.
  ///
  /// - Throws: An error, which the site shows as an error page.
  func answer(to request: WebRequest) async throws -> WebAnswer

  /// Returns the page for an error.
  ///
  /// - Parameters:
  ///   - title: The error, in a few words.
  ///   - reason: The cause, and what to do.
  func page(title: String, reason: String) -> Markup
}

/// A website on the loopback address, for users of this machine who have its token.
public actor WebSite {
  /// The interval at which the site keeps connections open and looks for unused lists.
  private static let beat = Duration.seconds(15)

  private nonisolated let server: LoopbackServer
  private nonisolated let handler: WebHandler
  private var beats: Task<Void, Never>?

  /// Creates a site that is not yet listening.
  ///
  /// - Parameters:
  ///   - source: The pages of the site.
  ///   - lists: The lists that the pages show.
  ///   - port: The port; with zero, the system chooses one.
  ///   - token: The access token; if nil, the site creates one that cannot be guessed.
  public init(_ source: any WebPageSource, lists: LiveLists, port: UInt16 = 0, token: String? = nil)
  {
    handler = WebHandler(
      source: source, lists: lists, gate: AccessGate(token: token ?? AccessGate.makeToken()))
    server = LoopbackServer(port: port, handler: handler)
  }

  /// Starts listening.
  ///
  /// - Returns: The address to open, with the token.
  /// - Throws: `LoopbackServerError` if the port is unavailable or the site is already listening.
  @discardableResult
  public func start() async throws -> String {
    let port = try await server.start()
    handler.port.withLock { $0 = port }
    let lists = handler.lists
    beats = Task {
      while !Task.isCancelled {
        // A canceled sleep ends the loop at its condition.
        try? await Task.sleep(for: Self.beat)
        await lists.beat()
      }
    }
    return "http://127.0.0.1:\(port)/?\(AccessGate.parameterName)=\(handler.gate.token)"
  }

  /// Ends all event streams, and stops listening.
  ///
  /// - Parameter seconds: The maximum time for requests in progress to finish.
  public func stop(within seconds: Double = 0) async {
    beats?.cancel()
    beats = nil
    await handler.lists.closeAll()
    await server.stop(within: seconds)
  }
}
