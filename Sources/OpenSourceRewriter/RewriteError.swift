/// Why sources cannot be rewritten.
package struct RewriteError: Error, Sendable, CustomStringConvertible {
  /// One place where something is wrong.
  package struct Problem: Sendable, Equatable, CustomStringConvertible {
    /// The file as it was named.
    package let path: String
    /// Line in the file, from 1.
    package let line: Int
    /// Column in the line, from 1, in bytes.
    package let column: Int
    /// The problem and what to do.
    package let message: String

    /// The problem as a compiler says it, so that tools find the place.
    package var description: String { "\(path):\(line):\(column): error: \(message)" }
  }

  /// All problems, in the order of the files.
  package let problems: [Problem]

  /// One line for each problem.
  package var description: String { problems.map(\.description).joined(separator: "\n") }
}
