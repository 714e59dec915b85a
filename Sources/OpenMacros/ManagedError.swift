import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// A diagnostic and its position in the source. The error is thrown while a declaration is read.
struct ManagedError: Error {
  private let diagnostic: ManagedDiagnostic
  private let node: Syntax
  private let fixIts: [FixIt]

  init(_ diagnostic: ManagedDiagnostic, at node: some SyntaxProtocol, fixIts: [FixIt] = []) {
    self.diagnostic = diagnostic
    self.node = Syntax(node)
    self.fixIts = fixIts
  }

  /// Reports the error to the compiler.
  func report(in context: some MacroExpansionContext) {
    context.diagnose(Diagnostic(node: node, message: diagnostic, fixIts: fixIts))
  }
}

/// A fix-it that replaces the macro by the macro that the declaration needs.
struct RenameFix: FixItMessage {
  let message = "replace '@Managed' with '@ManagedAccessor'"
  let fixItID = MessageID(domain: "OpenCoreData", id: "rename")

  /// Returns the fix-it for an attribute. The fix-it keeps the arguments.
  static func fixIt(for attribute: AttributeSyntax) -> FixIt {
    let name = attribute.attributeName
    let newName = TypeSyntax(IdentifierTypeSyntax(name: .identifier("ManagedAccessor")))
      .with(\.leadingTrivia, name.leadingTrivia).with(\.trailingTrivia, name.trailingTrivia)
    return FixIt(
      message: RenameFix(), changes: [.replace(oldNode: Syntax(name), newNode: Syntax(newName))])
  }
}
