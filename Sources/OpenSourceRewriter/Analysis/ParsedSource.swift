import SwiftDiagnostics
import SwiftParser
import SwiftParserDiagnostics
import SwiftSyntax

/// A source file as a syntax tree, with what the parser found wrong.
struct ParsedSource {
  let tree: SourceFileSyntax
  let bytes: [UInt8]
  /// Why the tree cannot be used; empty when it can.
  private(set) var problems: [RewriteError.Problem] = []
  let path: String
  private let lines: LineTable

  /// Far more than people write, far less than a stack holds.
  private static let depthLimit = 2000

  init(_ source: SourceText) {
    // A byte order mark is only allowed where the directive goes.
    let text = source.text.hasPrefix("\u{FEFF}") ? String(source.text.dropFirst()) : source.text
    tree = Parser.parse(source: text)
    bytes = Array(text.utf8)
    lines = LineTable(bytes)
    path = source.path
    if let node = tree.firstNode(deeperThan: Self.depthLimit) {
      problems = [problem("this is nested too deeply; break it up", at: node)]
    } else {
      problems = ParseDiagnosticsGenerator.diagnostics(for: tree)
        .filter { $0.diagMessage.severity == .error }
        .map { problem($0.message, at: $0.position) }
    }
  }

  /// A problem at a node.
  func problem(_ message: String, at node: some SyntaxProtocol) -> RewriteError.Problem {
    problem(message, at: node.positionAfterSkippingLeadingTrivia)
  }

  private func problem(_ message: String, at position: AbsolutePosition) -> RewriteError.Problem {
    let place = lines.place(of: position.utf8Offset)
    return RewriteError.Problem(
      path: path, line: place.line, column: place.column, message: message)
  }

  /// The line that makes the compiler speak of the original file.
  var directive: String { Self.directive(path, line: 1) }

  /// The line of a node, from 1.
  func line(of node: some SyntaxProtocol) -> Int {
    lines.place(of: node.positionAfterSkippingLeadingTrivia.utf8Offset).line
  }

  /// The line after which the compiler speaks of a place in an original file.
  static func directive(_ path: String, line: Int) -> String {
    let escaped = path.map { character in
      character == "\\" || character == "\"" ? "\\\(character)" : String(character)
    }
    return "#sourceLocation(file: \"\(escaped.joined())\", line: \(line))\n"
  }
}
