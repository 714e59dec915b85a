import Foundation

/// The answers to the parent process.
enum Answer {
  /// Writes a line at once.
  static func write(_ line: String) {
    // If the reader has exited, a signal ends this process.
    try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
  }

  /// An error as one line: its code, and its message.
  static func text(of error: any Error) -> String {
    let bridged = error as NSError
    let message = bridged.localizedDescription.replacingOccurrences(of: "\n", with: " ")
    return "error \(bridged.code) \(message)"
  }
}
