import FlyingSocks
package import Foundation

/// The body of an event stream: the events that wait for a page, until it goes.
package struct EventBody: AsyncBufferedSequence {
  package typealias Element = UInt8

  let queue: EventQueue
  /// Called when the body is released, which the server does when the connection ends.
  let end: StreamEnd

  package init(queue: EventQueue, end: StreamEnd) { (self.queue, self.end) = (queue, end) }

  package func makeAsyncIterator() -> Iterator { Iterator(body: self) }

  /// Hands out the waiting events piece by piece.
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

/// Tells that a stream is not read any more. Shared.
package final class StreamEnd: Sendable {
  private let action: @Sendable () -> Void

  package init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  deinit { action() }
}
