package import SwiftSyntax
package import SwiftSyntaxMacros

/// The macro `@Attribute`, which expands to nothing. The macro `@Model` reads the arguments of
/// `@Attribute`.
package struct AttributeMacro: PeerMacro {
  /// Reports errors in the attribute, and returns no declarations.
  ///
  /// - Parameters:
  ///   - node: The attribute that applies the macro.
  ///   - declaration: The declaration to which the attribute is attached.
  ///   - context: The context of the expansion, through which the method reports errors.
  /// - Throws: No error. The method is declared with `throws` to match the macro protocol.
  package static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    MarkerCheck(of: node, named: "Attribute", on: declaration).report(in: context)
    return []
  }
}

/// The macro `@Relationship`, which expands to nothing. The macro `@Model` reads the arguments of
/// `@Relationship`.
package struct RelationshipMacro: PeerMacro {
  /// Reports errors in the attribute, and returns no declarations.
  ///
  /// - Parameters:
  ///   - node: The attribute that applies the macro.
  ///   - declaration: The declaration to which the attribute is attached.
  ///   - context: The context of the expansion, through which the method reports errors.
  /// - Throws: No error. The method is declared with `throws` to match the macro protocol.
  package static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    MarkerCheck(of: node, named: "Relationship", on: declaration).report(in: context)
    return []
  }
}

/// The macro `@Transient`, which expands to nothing. The macro `@Model` does not persist a property
/// with `@Transient`.
package struct TransientMacro: PeerMacro {
  /// Returns no declarations.
  ///
  /// - Parameters:
  ///   - node: The attribute that applies the macro.
  ///   - declaration: The declaration to which the attribute is attached.
  ///   - context: The context of the expansion.
  /// - Throws: No error. The method is declared with `throws` to match the macro protocol.
  package static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    []
  }
}

/// The macro `#Unique`, which expands to nothing. The macro `@Model` reads the arguments of
/// `#Unique`.
package struct UniqueMacro: DeclarationMacro {
  /// Returns no declarations.
  ///
  /// - Parameters:
  ///   - node: The use of the macro.
  ///   - context: The context of the expansion.
  /// - Throws: No error. The method is declared with `throws` to match the macro protocol.
  package static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    []
  }
}

/// The macro `#Index`, which expands to nothing. The macro `@Model` reads the arguments of
/// `#Index`.
package struct IndexMacro: DeclarationMacro {
  /// Returns no declarations.
  ///
  /// - Parameters:
  ///   - node: The use of the macro.
  ///   - context: The context of the expansion.
  /// - Throws: No error. The method is declared with `throws` to match the macro protocol.
  package static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    []
  }
}
