package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// `@ReadableByKey` on a class or structure: its properties can be read by name.
///
/// Where the type conforms to `KeyValueReadable` already, by its superclass, the method overrides the
/// superclass's and leaves unknown names to it.
package struct ReadableByKeyMacro {}

extension ReadableByKeyMacro: MemberMacro {
  /// Makes the method that returns the value of a property by name.
  package static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    do throws(ManagedError) {
      let type = try ReadableType(declaration, attribute: node, conforms: protocols.isEmpty)
      return [method(of: type)]
    } catch {
      error.report(in: context)
      return []
    }
  }

  private static func method(of type: ReadableType) -> DeclSyntax {
    let modifiers = type.access + (type.overrides ? "override " : "")
    let cases = type.properties.map { name in
      "case \"\(name.plainName)\": return self.\(name.text)"
    }
    let rest =
      type.overrides
      ? "default: return super.readableValue(forKey: key)"
      : "default: return OpenPredicates.NoSuchKey.marker"
    return """
      \(raw: modifiers)func readableValue(forKey key: String) -> Any? {
        switch key {
        \(raw: (cases + [rest]).joined(separator: "\n  "))
        }
      }
      """
  }
}

extension ReadableByKeyMacro: ExtensionMacro {
  /// Makes the conformance, unless there is one.
  package static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard !protocols.isEmpty,
      declaration.is(StructDeclSyntax.self) || declaration.is(ClassDeclSyntax.self)
    else { return [] }
    return [
      try ExtensionDeclSyntax("extension \(type.trimmed): OpenPredicates.KeyValueReadable {}")
    ]
  }
}
