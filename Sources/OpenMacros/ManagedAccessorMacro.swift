package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// The macro `@ManagedAccessor`, which generates the body of a method that changes a to-many
/// relationship.
///
/// The macro is separate from `@Managed`, because a macro that generates accessors cannot be
/// attached to a function.
package struct ManagedAccessorMacro: BodyMacro {
  /// Creates the body of a to-many accessor.
  ///
  /// If the declaration is invalid, the method reports the error to the compiler and returns no
  /// statements.
  ///
  /// - Parameters:
  ///   - node: The attribute that applies the macro.
  ///   - declaration: The declaration to which the attribute is attached.
  ///   - context: The context of the expansion, through which the method reports errors.
  /// - Throws: No error. The method is declared with `throws` to match the macro protocol.
  package static func expansion(
    of node: AttributeSyntax,
    providingBodyFor declaration: some DeclSyntaxProtocol & WithOptionalCodeBlockSyntax,
    in context: some MacroExpansionContext
  ) throws -> [CodeBlockItemSyntax] {
    do throws(ManagedError) {
      guard let function = declaration.as(FunctionDeclSyntax.self) else {
        throw ManagedError(.notAFunction, at: node)
      }
      return [call(of: try ManagedAccessor(function, attribute: node))]
    } catch {
      error.report(in: context)
      return []
    }
  }

  private static func call(of accessor: ManagedAccessor) -> CodeBlockItemSyntax {
    let members = accessor.count.rawValue
    let key = "\"\(accessor.key)\""
    switch accessor.change {
    case .add(let value): return "__add\(raw: members)(\(raw: value), \(raw: key))"
    case .remove(let value): return "__remove\(raw: members)(\(raw: value), \(raw: key))"
    case .insert(let value, let position):
      return "__insert\(raw: members)(\(raw: value), \(raw: key), at: \(raw: position))"
    case .removeAt(let position):
      return "__remove\(raw: members)(\(raw: key), at: \(raw: position))"
    case .replace(let position, let value):
      return "__replace\(raw: members)(\(raw: key), at: \(raw: position), with: \(raw: value))"
    }
  }
}
