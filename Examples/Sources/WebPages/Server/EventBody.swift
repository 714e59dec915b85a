import FlyingSocks
package import Foundation

/// The body of an event stream: the events for a page, until the page closes the connection.
package struct EventBody: AsyncBufferedSequence {
  package typealias Element = UInt8

  let queue: EventQueue
  /// The action that runs when the body is released, which the server does when the connection ends.
  let end: StreamEnd

  package init(queue: EventQueue, end: StreamEnd) { (self.queue, self.end) = (queue, end) }

  package func makeAsyncIterator() -> Iterator { Iterator(body: self) }

  /// An iterator over the pending events, piece by piece.
  package struct Iterator: AsyncBufferedIteratorProtocol {
    fileprivate let body: EventBody
    private var rest = Data()

    fileprivate init(body: EventBody) { self.body = body }

    package mutating func next() async throws -> UInt8? {
      try await nextBuffer(suggested: 1)?.first
    }

    package mutating func nextBuffer(suggested count: Int) async throws -> Data? {
      if rest.isEmpty {
        guard let text = await body.queue.next() else { return nil }
        rest = Data(text.utf8)
      }
      let piece = rest.prefix(Swift.max(1, count))
      rest = Data(rest.dropFirst(piece.count))
      return Data(piece)
    }
  }
}

/// An action that runs when the last reader of a stream releases it.
///
/// > Concurrency: Shared; usable on any thread.
package final class StreamEnd: Sendable {
  private let action: @Sendable () -> Void

  package init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  deinit { action() }
}
