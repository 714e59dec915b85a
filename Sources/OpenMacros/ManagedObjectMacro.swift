package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// `@ManagedObject` on a class: checks it, and with an argument gives it the name that models use
/// for it.
///
/// Both directions need an answer: the class says its name by an overridden property, and an empty
/// nested class whose own name contains that name lets the runtime find the class among all type
/// records.
package struct ManagedObjectMacro: MemberMacro {
  /// Creates the members that tell the name of a class, if it was given one, and its validation methods.
  package static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    do throws(ManagedError) {
      let (type, superclass) = try managedClass(declaration, attribute: node)
      let name = try node.nameArgument()
      let access = AccessLevel.text(of: type, in: context.lexicalContext)
      let validators = ManagedValidators(of: type, superclass: superclass).members(access: access)
      guard let name, name != type.name.plainName else { return validators }
      return [nameProperty(name, of: type, access), nameMarker(name)] + validators
    } catch {
      error.report(in: context)
      return []
    }
  }

  private static func managedClass(
    _ declaration: some DeclGroupSyntax, attribute: AttributeSyntax
  ) throws(ManagedError) -> (ClassDeclSyntax, superclass: TypeSyntax) {
    guard let type = declaration.as(ClassDeclSyntax.self) else {
      throw ManagedError(.notAClass, at: attribute)
    }
    if let parameters = type.genericParameterClause {
      throw ManagedError(.genericObjectClass, at: parameters)
    }
    guard let superclass = type.inheritanceClause?.inheritedTypes.first?.type else {
      throw ManagedError(.noSuperclass, at: type.name)
    }
    return (type, superclass)
  }

  /// Subclasses do not inherit the name, hence the comparison.
  private static func nameProperty(
    _ name: String, of type: ClassDeclSyntax, _ access: String
  ) -> DeclSyntax {
    """
    \(raw: access)override class var __managedClassName: Swift.String {
      self == \(type.name.trimmed).self ? "\(raw: name)" : super.__managedClassName
    }
    """
  }

  private static func nameMarker(_ name: String) -> DeclSyntax {
    "private final class __ManagedClassName_\(raw: name) {}"
  }
}
