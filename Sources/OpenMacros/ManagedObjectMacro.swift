package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// The macro `@ManagedObject`, which checks a class and generates its validation members.
///
/// If the macro's argument differs from the name of the class, the macro also generates two
/// members. The first member is an override of `__managedClassName`, which returns the argument.
/// The second member is an empty nested class, whose name contains the argument. `COpenRuntime`
/// finds the enclosing class by searching the program's type metadata records for the name of the
/// nested class.
package struct ManagedObjectMacro: MemberMacro {
  /// Creates the members for the class name, if the macro has an argument, and for the validation
  /// methods.
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
      let (type, superclass) = try managedClass(declaration, attribute: node)
      let name = try node.nameArgument()
      let access = AccessLevel.text(of: type, in: context.lexicalContext)
      let validators = try ManagedValidators(of: type, superclass: superclass)
        .members(access: access)
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

  /// The property compares the class, because subclasses do not inherit the name.
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
