import Foundation
import Loopback
import Synchronization

/// What a site shows for its addresses.
public protocol WebPageSource: Sendable {
  /// Answers a request of a browser that may use the site.
  ///
  /// - Throws: What is shown as a page that says what went wrong.
  func answer(to request: WebRequest) async throws -> WebAnswer

  /// The page for something that went wrong.
  ///
  /// - Parameters:
  ///   - title: What went wrong, in few words.
  ///   - reason: The cause, and what to do.
  func page(title: String, reason: String) -> Markup
}

/// A web site on the loopback address, for the people of this machine who have its token.
public actor WebSite {
  /// How often connections are kept open, and unused lists looked for.
  private static let beat = Duration.seconds(15)

  private nonisolated let server: LoopbackServer
  private nonisolated let handler: WebHandler
  private var beats: Task<Void, Never>?

  /// Makes a site that does not listen yet.
  ///
  /// - Parameters:
  ///   - source: Its pages.
  ///   - lists: The lists that its pages show.
  ///   - port: The port; zero lets the system choose.
  ///   - token: What lets a browser in; nil makes one that cannot be guessed.
  public init(_ source: any WebPageSource, lists: LiveLists, port: UInt16 = 0, token: String? = nil)
  {
    handler = WebHandler(
      source: source, lists: lists, gate: AccessGate(token: token ?? AccessGate.makeToken()))
    server = LoopbackServer(port: port, handler: handler)
  }

  /// Begins to listen.
  ///
  /// - Returns: The address to open, with the token.
  /// - Throws: `LoopbackServerError` when the port cannot be had or the site listens already.
  @discardableResult
  public func start() async throws -> String {
    let port = try await server.start()
    handler.port.withLock { $0 = port }
    let lists = handler.lists
    beats = Task {
      while !Task.isCancelled {
        // A cancelled sleep ends the loop at its condition.
        try? await Task.sleep(for: Self.beat)
        await lists.beat()
      }
    }
    return "http://127.0.0.1:\(port)/?\(AccessGate.parameterName)=\(handler.gate.token)"
  }

  /// Ends all event streams, and stops listening.
  ///
  /// - Parameter seconds: How long requests that are being answered may take to end.
  public func stop(within seconds: Double = 0) async {
    beats?.cancel()
    beats = nil
    await handler.lists.closeAll()
    await server.stop(within: seconds)
  }
}
