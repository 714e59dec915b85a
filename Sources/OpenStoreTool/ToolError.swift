/// Why a command ended, with the exit status that says so.
package struct ToolError: Error, CustomStringConvertible {
  /// Exit statuses of all commands.
  package enum Status: Int32, Sendable {
    /// The command found something to report: differences, or flaws of a model.
    case findings = 1
    /// The command was called in a way that makes no sense.
    case usage = 2
    /// A file cannot be read.
    case unreadable = 3
    /// The standard output takes no more; the number is that of `EX_IOERR`.
    case output = 74
  }

  package let status: Status
  /// One sentence: what happened, and what to do.
  package let message: String

  package init(_ status: Status, _ message: String) {
    self.status = status
    self.message = message
  }

  package var description: String { message }
}
