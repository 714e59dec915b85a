package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// The macro `@Managed`, which generates the accessors of a property and the key that the accessors
/// use.
///
/// The key is a stored static constant, so that an access does not look up the property by name.
package struct ManagedMacro {}

extension ManagedMacro: AccessorMacro {
  /// Creates the getter and the setter of a property.
  ///
  /// If the declaration is invalid, the method reports the error to the compiler and returns no
  /// accessors.
  ///
  /// - Parameters:
  ///   - node: The attribute that applies the macro.
  ///   - declaration: The declaration to which the attribute is attached.
  ///   - context: The context of the expansion, through which the method reports errors.
  /// - Throws: No error. The method is declared with `throws` to match the macro protocol.
  package static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    do {
      let property = try ManagedProperty(
        declaration, attribute: node, in: context.lexicalContext)
      return [getter(of: property), setter(of: property)]
    } catch {
      error.report(in: context)
      return []
    }
  }

  private static func getter(of property: ManagedProperty) -> AccessorDeclSyntax {
    let key = "Self.__key_\(property.name)" + (property.isPrimitive ? ".key(in: self)" : "")
    return "get { \(raw: property.type).__read(self, \(raw: key)) }"
  }

  /// The setter of a primitive value neither marks the object as changed nor changes inverse
  /// relationships.
  private static func setter(of property: ManagedProperty) -> AccessorDeclSyntax {
    let key = "Self.__key_\(property.name)"
    if !property.isPrimitive {
      return "set { \(raw: property.type).__write(self, \(raw: key), newValue) }"
    }
    return
      "set { \(raw: key).write(in: self) { \(raw: property.type).__write(self, $0, newValue) } }"
  }
}

extension ManagedMacro: PeerMacro {
  /// Creates the key that the accessors of a property use.
  ///
  /// If the declaration is invalid, the method returns no key. The method reports the error to the
  /// compiler only if the declaration is not a property, because the expansion of the accessors
  /// reports the errors of properties.
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
    do {
      let property = try ManagedProperty(
        declaration, attribute: node, in: context.lexicalContext)
      return [key(of: property)]
    } catch {
      // For a property, the expansion of the accessors reports the same error.
      if !declaration.is(VariableDeclSyntax.self) { error.report(in: context) }
      return []
    }
  }

  /// The key is private, so that a subclass can have a property with the same name.
  private static func key(of property: ManagedProperty) -> DeclSyntax {
    let key =
      property.isPrimitive
      ? "__PrimitiveKey(\"\(property.name)\", of: \"\(property.key)\")"
      : "__ManagedKey(\"\(property.key)\")"
    return "private nonisolated static let \(raw: "__key_" + property.name) = \(raw: key)"
  }
}
