import Foundation

/// What goes to the process that started this one.
enum Answer {
  /// Writes a line at once.
  static func write(_ line: String) {
    // A reader that is gone ends this process by a signal.
    try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
  }

  /// An error as one line: its code, and its message.
  static func text(of error: any Error) -> String {
    let bridged = error as NSError
    let message = bridged.localizedDescription.replacingOccurrences(of: "\n", with: " ")
    return "error \(bridged.code) \(message)"
  }
}
