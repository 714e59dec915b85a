/// An error that ends a command, with the command's exit status.
package struct ToolError: Error, CustomStringConvertible {
  /// The exit statuses that commands return after an error or after findings.
  package enum Status: Int32, Sendable {
    /// The command reports findings, such as differences between stores or problems of a model.
    case findings = 1
    /// The arguments of the command are invalid.
    case usage = 2
    /// A file or store cannot be read or written.
    case unreadable = 3
    /// The command cannot write to standard output. The value equals `EX_IOERR`.
    case output = 74
  }

  package let status: Status
  /// The problem, followed by the remedy if there is one.
  package let message: String

  package init(_ status: Status, _ message: String) {
    self.status = status
    self.message = message
  }

  package var description: String { message }

  /// Returns the result of work on a file or store.
  ///
  /// - Parameters:
  ///   - path: The path or name of the file or store, for the message of the error.
  ///   - work: The work.
  /// - Throws: `ToolError` with status `.unreadable` if the work throws any error.
  static func reporting<Result>(_ path: String, _ work: () throws -> Result) throws -> Result {
    do { return try work() } catch {
      throw ToolError(.unreadable, "\(path): \(InspectedStore.sentence(for: error))")
    }
  }
}
