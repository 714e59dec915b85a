import SwiftSyntax

/// Collects the edits that one file needs; each kind of syntax has its extension.
final class RewritingVisitor: SyntaxVisitor {
  let source: ParsedSource
  let known: ClassDeclarations.Known
  var edits = TextEdits()
  var problems: [RewriteError.Problem] = []

  init(_ source: ParsedSource, known: ClassDeclarations.Known) {
    self.source = source
    self.known = known
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
    rewrite(node)
    return .skipChildren
  }

  override func visit(_ node: DeclModifierSyntax) -> SyntaxVisitorContinueKind {
    if node.name.tokenKind == .keyword(.dynamic) { remove(node) }
    return .skipChildren
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    if node.attributes.named("NSManaged") != nil { split(node) }
    return .visitChildren
  }

  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
    guard node.macroName.text == "keyPath" else { return .visitChildren }
    rewriteKeyPath(node)
    return .skipChildren
  }

  override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
    rewriteCasts(in: node)
    return .visitChildren
  }

  // MARK: Edits

  /// Replaces a node, keeping as many line ends as it had.
  func replace(_ node: some SyntaxProtocol, with text: String) {
    replace(node.visibleRange, with: text)
  }

  func replace(_ range: Range<Int>, with text: String) {
    edits.replace(range, with: text + lineEnds(in: range))
  }

  /// Removes a node with the blanks after it, keeping as many line ends as it had.
  func remove(_ node: some SyntaxProtocol) {
    let range = node.visibleRange
    let blanks = source.bytes[range.upperBound...].prefix { $0 == 0x20 || $0 == 0x09 }
    replace(range.lowerBound..<range.upperBound + blanks.count, with: "")
  }

  private func lineEnds(in range: Range<Int>) -> String {
    String(repeating: "\n", count: source.bytes[range].count { $0 == 0x0A })
  }
}

extension SyntaxProtocol {
  /// The bytes of a node without blanks and comments around it.
  var visibleRange: Range<Int> {
    let start = positionAfterSkippingLeadingTrivia.utf8Offset
    return start..<max(start, endPositionBeforeTrailingTrivia.utf8Offset)
  }
}
