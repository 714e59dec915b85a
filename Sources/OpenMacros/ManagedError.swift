import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// A diagnostic with the place it is shown at; thrown while a declaration is being read.
struct ManagedError: Error {
  private let diagnostic: ManagedDiagnostic
  private let node: Syntax
  private let fixIts: [FixIt]

  init(_ diagnostic: ManagedDiagnostic, at node: some SyntaxProtocol, fixIts: [FixIt] = []) {
    self.diagnostic = diagnostic
    self.node = Syntax(node)
    self.fixIts = fixIts
  }

  /// Shows the error to the user.
  func report(in context: some MacroExpansionContext) {
    context.diagnose(Diagnostic(node: node, message: diagnostic, fixIts: fixIts))
  }
}

/// The offer to write the macro that the declaration needs.
struct RenameFix: FixItMessage {
  let message = "replace '@Managed' by '@ManagedAccessor'"
  let fixItID = MessageID(domain: "OpenCoreData", id: "rename")

  /// The fix for an attribute, whose arguments stay.
  static func fixIt(for attribute: AttributeSyntax) -> FixIt {
    let name = attribute.attributeName
    let newName = TypeSyntax(IdentifierTypeSyntax(name: .identifier("ManagedAccessor")))
      .with(\.leadingTrivia, name.leadingTrivia).with(\.trailingTrivia, name.trailingTrivia)
    return FixIt(
      message: RenameFix(), changes: [.replace(oldNode: Syntax(name), newNode: Syntax(newName))])
  }
}
