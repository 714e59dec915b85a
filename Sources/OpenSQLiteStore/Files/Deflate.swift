import COpenZlib
import Foundation

/// Compresses and decompresses raw DEFLATE streams without a header.
enum Deflate {
  /// The reason why a stream cannot be decompressed.
  enum Failure: Error {
    case damaged
    /// The content is larger than allowed.
    case tooLarge
  }

  private static let pageSize = 64 << 10

  /// Decompresses a stream.
  ///
  /// - Parameter limit: The maximum size of the content in bytes.
  static func inflate(_ data: Data, limit: Int) throws(Failure) -> Data {
    var stream = z_stream()
    guard ocd_inflate_raw_init(&stream) == Z_OK else { throw .damaged }
    defer { inflateEnd(&stream) }
    var input = [UInt8](data)
    return try run(&stream, &input, limit: limit) { COpenZlib.inflate(&$0, Z_NO_FLUSH) }
  }

  /// Compresses content into a stream.
  static func deflate(_ data: Data) throws(Failure) -> Data {
    var stream = z_stream()
    guard ocd_deflate_raw_init(&stream) == Z_OK else { throw .damaged }
    defer { deflateEnd(&stream) }
    var input = [UInt8](data)
    return try run(&stream, &input, limit: .max - pageSize) { COpenZlib.deflate(&$0, Z_FINISH) }
  }

  /// Repeats a step until the end of the stream, with one page of output at a time.
  private static func run(
    _ stream: inout z_stream, _ input: inout [UInt8], limit: Int,
    _ step: (inout z_stream) -> Int32
  ) throws(Failure) -> Data {
    guard let size = UInt32(exactly: input.count) else { throw .tooLarge }
    var page = [UInt8](repeating: 0, count: pageSize)
    var output = Data()
    var code = Z_OK
    input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = size
      repeat {
        let written = page.withUnsafeMutableBufferPointer { page in
          stream.next_out = page.baseAddress
          stream.avail_out = UInt32(pageSize)
          code = step(&stream)
          return pageSize - Int(stream.avail_out)
        }
        output.append(contentsOf: page.prefix(written))
        // A stream that is cut off asks for input without end.
        if written == 0, code != Z_STREAM_END { code = Z_DATA_ERROR }
      } while code == Z_OK && output.count <= limit
    }
    if output.count > limit { throw .tooLarge }
    guard code == Z_STREAM_END else { throw .damaged }
    return output
  }
}
