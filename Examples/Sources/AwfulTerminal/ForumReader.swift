public import AwfulCore
import ForumHTML
import Foundation
import TerminalView

/// The forum reader in a terminal: forums, threads and posts, live, by keys.
public struct ForumReader {
  private let feed: ForumFeed

  /// Makes a reader of a store.
  public init(_ store: ForumStore) { feed = ForumFeed(StoreFeed(store)) }

  /// Reads until the reader quits.
  ///
  /// - Returns: false if there is no terminal.
  /// - Throws: What reading the store throws; the terminal is as before then.
  public func run() async throws -> Bool {
    guard let screen = TerminalScreen() else { return false }
    defer { screen.close() }
    var session = ReadingSession(feed)
    let (events, continuation) = AsyncStream.makeStream(of: ReadingSession.Event.self)
    let keys = screen.pressedKeys
    let reading = Task {
      for await key in keys { continuation.yield(.key(key)) }
      continuation.yield(.key(.closed))
    }
    defer { reading.cancel() }
    session.open(.forums) { continuation.yield($0) }
    for await event in events {
      try session.handle(event) { continuation.yield($0) }
      if session.isOver { break }
      session.draw(on: screen)
    }
    return true
  }
}
