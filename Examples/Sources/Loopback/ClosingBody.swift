import FlyingSocks
import Foundation

/// The body of a response after which the server closes the connection.
struct ClosingBody: AsyncBufferedSequence {
  typealias Element = UInt8

  let bytes: Data

  func makeAsyncIterator() -> Iterator { Iterator(rest: bytes) }

  /// An iterator over the bytes, piece by piece. At the end, the iterator throws, which makes the server close the connection.
  struct Iterator: AsyncBufferedIteratorProtocol {
    fileprivate var rest: Data

    mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested count: Int) async throws -> Data? {
      if rest.isEmpty { throw SocketError.disconnected }
      let piece = Data(rest.prefix(Swift.max(1, count)))
      rest = Data(rest.dropFirst(piece.count))
      return piece
    }
  }
}
