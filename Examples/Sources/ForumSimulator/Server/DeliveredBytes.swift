import FlyingSocks
import Foundation

/// The bytes of a body in transit to a client: complete, slowed down, or broken off.
struct DeliveredBytes: AsyncBufferedSequence {
  typealias Element = UInt8

  /// The error of a broken-off body, for which the server closes the connection.
  struct BrokenOff: Error {}

  let body: Data
  let bytesPerSecond: Int?
  let breaksAfter: Int?

  func makeAsyncIterator() -> Iterator {
    Iterator(bytes: self)
  }

  /// An iterator that returns the body piece by piece.
  struct Iterator: AsyncBufferedIteratorProtocol {
    fileprivate let bytes: DeliveredBytes
    private var position = 0

    fileprivate init(bytes: DeliveredBytes) {
      self.bytes = bytes
    }

    mutating func next() async throws -> UInt8? {
      try await nextBuffer(suggested: 1)?.first
    }

    mutating func nextBuffer(suggested count: Int) async throws -> Data? {
      let end = Swift.min(bytes.breaksAfter ?? .max, bytes.body.count)
      guard position < end else {
        if bytes.breaksAfter != nil { throw BrokenOff() }
        return nil
      }
      var length = Swift.min(Swift.max(count, 1), end - position)
      if let speed = bytes.bytesPerSecond {
        length = Swift.min(length, Swift.max(speed / 10, 1))
        try await Task.sleep(for: .milliseconds(1_000 * length / speed))
      }
      let start = bytes.body.startIndex + position
      position += length
      return bytes.body[start..<start + length]
    }
  }
}
