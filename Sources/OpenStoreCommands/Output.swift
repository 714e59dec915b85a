import Foundation
import OpenStoreTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system's call, which members of `Output` hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

/// The standard output, written in pieces of some size.
///
/// A reader that went away, a full disk and a closed output end the command with status 74 and a message.
enum Output {
  // Invariant: used by the one thread of a command.
  nonisolated(unsafe) private static var buffer: [UInt8] = []
  nonisolated(unsafe) private static var failure: Int32?
  private static let pieceSize = 64 << 10

  /// Makes failures of the output errors of the command.
  static func prepare() {
    // A closed descriptor would become that of the next file that is opened, a store's own perhaps.
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
      if descriptor == 1 { failure = EBADF }
      _ = open("/dev/null", O_RDWR)
    }
    signal(SIGPIPE, SIG_IGN)
  }

  /// Adds a text; after a failure, it is dropped.
  static func write(_ text: String) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count > pieceSize { send() }
  }

  /// Requires that all that was sent has been written.
  ///
  /// - Throws: `ToolError` with the reason.
  static func check() throws {
    guard let failure else { return }
    throw ToolError(
      .output, "The output cannot be written: \(String(cString: strerror(failure))).")
  }

  /// Sends what is waiting.
  ///
  /// - Throws: `ToolError` when the output cannot be written.
  static func flush() throws {
    send()
    try check()
  }

  /// Prints a message on standard error; a failure to print it is ignored.
  static func complain(_ message: String) {
    _ = send(Array((message + "\n").utf8), to: 2)
  }

  /// Writes a text on standard error as it is; a failure to print it is ignored.
  static func report(_ text: String) { _ = send(Array(text.utf8), to: 2) }

  /// Characters of a line of the terminal; nil when the output is none.
  static var terminalWidth: Int? {
    guard isatty(1) == 1 else { return nil }
    var size = winsize()
    guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  private static func send() {
    if failure == nil { failure = send(buffer, to: 1) }
    buffer.removeAll(keepingCapacity: true)
  }

  /// - Returns: The number of the error; nil for none.
  private static func send(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    bytes.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = systemWrite(
          descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
        if count < 0, errno != EINTR { return errno }
        sent += max(0, count)
      }
      return nil
    }
  }
}
