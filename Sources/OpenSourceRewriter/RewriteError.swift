/// An error that describes why sources cannot be rewritten.
package struct RewriteError: Error, Sendable, CustomStringConvertible {
  /// A problem at one position in a source file.
  package struct Problem: Sendable, Equatable, CustomStringConvertible {
    /// The path of the file, as passed to the rewriter.
    package let path: String
    /// The line number of the problem, starting with 1.
    package let line: Int
    /// The column of the problem in bytes, starting with 1.
    package let column: Int
    /// A description of the problem and of the remedy.
    package let message: String

    /// The problem in the format of compiler diagnostics, `path:line:column: error: message`, from
    /// which tools can read the position.
    package var description: String { "\(path):\(line):\(column): error: \(message)" }
  }

  /// All problems, in the order of the files.
  package let problems: [Problem]

  /// One line for each problem.
  package var description: String { problems.map(\.description).joined(separator: "\n") }
}
