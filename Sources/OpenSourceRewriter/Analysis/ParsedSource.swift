import SwiftDiagnostics
import SwiftParser
import SwiftParserDiagnostics
import SwiftSyntax

/// A source file as a syntax tree, with the problems that the parser found.
struct ParsedSource {
  let tree: SourceFileSyntax
  let bytes: [UInt8]
  /// The problems that prevent the use of the tree; empty if the tree can be used.
  private(set) var problems: [RewriteError.Problem] = []
  let path: String
  private let lines: LineTable

  /// The maximum depth of the tree, which is much greater than in practice and much smaller than
  /// the stack permits.
  private static let depthLimit = 2000

  init(_ source: SourceText) {
    // A byte order mark is only allowed where the directive goes.
    let text = source.text.hasPrefix("\u{FEFF}") ? String(source.text.dropFirst()) : source.text
    tree = Parser.parse(source: text)
    bytes = Array(text.utf8)
    lines = LineTable(bytes)
    path = source.path
    if let node = tree.firstNode(deeperThan: Self.depthLimit) {
      problems = [problem("this code is nested too deeply; split it into smaller parts", at: node)]
    } else {
      problems = ParseDiagnosticsGenerator.diagnostics(for: tree)
        .filter { $0.diagMessage.severity == .error }
        .map { problem($0.message, at: $0.position) }
    }
  }

  /// Returns a problem at the position of a node.
  func problem(_ message: String, at node: some SyntaxProtocol) -> RewriteError.Problem {
    problem(message, at: node.positionAfterSkippingLeadingTrivia)
  }

  private func problem(_ message: String, at position: AbsolutePosition) -> RewriteError.Problem {
    let place = lines.place(of: position.utf8Offset)
    return RewriteError.Problem(
      path: path, line: place.line, column: place.column, message: message)
  }

  /// The directive at the start of the result, which refers the compiler to the original file.
  var directive: String { Self.directive(path, line: 1) }

  /// Returns the line number of a node, starting with 1.
  func line(of node: some SyntaxProtocol) -> Int {
    lines.place(of: node.positionAfterSkippingLeadingTrivia.utf8Offset).line
  }

  /// Returns a `#sourceLocation` directive that refers the compiler to a line of an original file.
  ///
  /// The result is empty for a file named `main.swift`: the rewritten file has the same name, and
  /// the compiler reports two files of a module with the same name.
  static func directive(_ path: String, line: Int) -> String {
    if path.split(separator: "/").last == "main.swift" { return "" }
    let escaped = path.map { character in
      character == "\\" || character == "\"" ? "\\\(character)" : String(character)
    }
    return "#sourceLocation(file: \"\(escaped.joined())\", line: \(line))\n"
  }
}
