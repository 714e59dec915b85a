package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// The macro `@ReadableByKey`, which makes the properties of a class or structure readable by name.
///
/// If the superclass already conforms to `KeyValueReadable`, the generated method overrides the
/// method of the superclass, and calls that method for unknown names.
package struct ReadableByKeyMacro {}

extension ReadableByKeyMacro: MemberMacro {
  /// Creates the method that returns the value of a property by name, and the list of key paths.
  ///
  /// If the declaration is invalid, the method reports the error to the compiler and returns no
  /// members.
  ///
  /// - Parameters:
  ///   - node: The attribute that applies the macro.
  ///   - declaration: The declaration to which the attribute is attached.
  ///   - protocols: The protocols that the macro can add and to which the type does not yet
  ///     conform.
  ///   - context: The context of the expansion, through which the method reports errors.
  /// - Throws: No error. The method is declared with `throws` to match the macro protocol.
  package static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    do throws(ManagedError) {
      let type = try ReadableType(
        declaration, attribute: node, adding: protocols, in: context.lexicalContext)
      return [method(of: type)] + KeyPathList(of: type).methods
    } catch {
      error.report(in: context)
      return []
    }
  }

  private static func method(of type: ReadableType) -> DeclSyntax {
    let modifiers =
      (type.isIsolated ? "nonisolated " : "") + type.access + (type.overrides ? "override " : "")
    let cases = type.properties.map { property in
      let name = property.name
      return directive(
        property.condition, around: "case \"\(name.plainName)\": return self.\(name.text)")
    }
    let others =
      type.overrides ? "super.readableValue(forKey: key)" : "OpenPredicates.NoSuchKey.marker"
    let rest =
      type.readsExtensions
      ? "default: return self.__readableInExtensions(forKey: key) { \(others) }"
      : "default: return \(others)"
    return """
      \(raw: modifiers)func readableValue(forKey key: Swift.String) -> Any? {
        switch key {
        \(raw: (cases + [rest]).joined(separator: "\n  "))
        }
      }
      """
  }
}

extension ReadableByKeyMacro: ExtensionMacro {
  /// Creates the conformances to `KeyValueReadable` and `__KeyPathListing`, unless the type already
  /// has them. If the declaration is invalid, the method returns no extensions.
  ///
  /// - Parameters:
  ///   - node: The attribute that applies the macro.
  ///   - declaration: The declaration to which the attribute is attached.
  ///   - type: The type that the extensions extend.
  ///   - protocols: The protocols that the macro can add and to which the type does not yet
  ///     conform.
  ///   - context: The context of the expansion.
  /// - Throws: An error if the generated code is not an extension.
  package static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    // The expansion that creates the method reports errors in the declaration.
    let readable = try? ReadableType(
      declaration, attribute: node, adding: protocols, in: context.lexicalContext)
    guard let readable else { return [] }
    var added: [String] = []
    if !readable.overrides { added.append("OpenPredicates.KeyValueReadable") }
    if readable.overridesList == false { added.append("OpenPredicates.__KeyPathListing") }
    if protocols.isEmpty || added.isEmpty { return [] }
    return [
      try ExtensionDeclSyntax(
        "extension \(type.trimmed): \(raw: added.joined(separator: ", ")) {}")
    ]
  }
}
