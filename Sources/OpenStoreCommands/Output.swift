import Foundation
import OpenStoreTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Calls the system's function, whose name a member of `Output` hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

/// The standard output, which is buffered.
///
/// If the reader closes the pipe, the disk is full or the output is closed, the command ends with
/// status 74 and a message.
enum Output {
  // Invariant: only the thread that runs the command uses this variable.
  nonisolated(unsafe) private static var buffer: [UInt8] = []
  nonisolated(unsafe) private static var failure: Int32?
  private static let pieceSize = 64 << 10

  /// Makes the command report failures of the output as errors.
  static func prepare() {
    // The next opened file, for example a store's file, would receive the number of a closed
    // descriptor.
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
      if descriptor == 1 { failure = EBADF }
      _ = open("/dev/null", O_RDWR)
    }
    signal(SIGPIPE, SIG_IGN)
  }

  /// Adds a text to the output. After a failure, the text is discarded.
  static func write(_ text: String) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count > pieceSize { send() }
  }

  /// Checks that all previous texts were written without a failure.
  ///
  /// - Throws: `ToolError` with the reason.
  static func check() throws {
    guard let failure else { return }
    throw ToolError(
      .output, "The output cannot be written: \(String(cString: strerror(failure))).")
  }

  /// Writes the buffered text.
  ///
  /// - Throws: `ToolError` if the output cannot be written.
  static func flush() throws {
    send()
    try check()
  }

  /// Prints a message to standard error, without the control characters that names in a store or
  /// model may contain. Failures are ignored.
  static func complain(_ message: String) {
    let line = message.withoutControlCharacters(except: "\n") + "\n"
    _ = send(Array(line.utf8), to: 2)
  }

  /// Writes a text unchanged to the standard error output. Failures are ignored.
  static func report(_ text: String) { _ = send(Array(text.utf8), to: 2) }

  /// The number of characters in a line of the terminal; nil if the output is not a terminal.
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

  /// - Returns: The error number; nil if no error occurred.
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
