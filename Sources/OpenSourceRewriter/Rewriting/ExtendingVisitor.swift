import SwiftSyntax

/// A visitor that adds the members that extensions require to the classes of a generated source,
/// and changes nothing else.
final class ExtendingVisitor: SyntaxVisitor {
  private let rewriting: RewritingVisitor

  init(_ rewriting: RewritingVisitor) {
    self.rewriting = rewriting
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    if rewriting.hasReaders(node) { rewriting.insert("@ReadableByKey", before: node) }
    rewriting.extend(node, place: "#sourceLocation()\n")
    return .visitChildren
  }
}
