package import SwiftSyntax
package import SwiftSyntaxMacros

/// `@Attribute`: expands to nothing; `@Model` reads its arguments.
package struct AttributeMacro: PeerMacro {
  /// Reports errors in the attribute, and returns no declarations.
  package static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    MarkerCheck(of: node, named: "Attribute", on: declaration).report(in: context)
    return []
  }
}

/// `@Relationship`: expands to nothing; `@Model` reads its arguments.
package struct RelationshipMacro: PeerMacro {
  /// Reports errors in the attribute, and returns no declarations.
  package static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    MarkerCheck(of: node, named: "Relationship", on: declaration).report(in: context)
    return []
  }
}

/// `@Transient`: expands to nothing; `@Model` does not persist the property.
package struct TransientMacro: PeerMacro {
  /// Returns no declarations.
  package static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    []
  }
}

/// `#Unique`: expands to nothing; `@Model` reads its arguments.
package struct UniqueMacro: DeclarationMacro {
  /// Returns no declarations.
  package static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    []
  }
}

/// `#Index`: expands to nothing; `@Model` reads its arguments.
package struct IndexMacro: DeclarationMacro {
  /// Returns no declarations.
  package static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    []
  }
}
