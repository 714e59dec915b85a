package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// The macro `@_PersistedProperty`, which `@Model` adds to stored properties. The generated
/// accessors read and write the values of the managed object.
package struct PersistedPropertyMacro: AccessorMacro, PeerMacro {
  /// Creates the accessors of a persisted property; returns no accessors if the declaration is not
  /// a persisted property.
  ///
  /// - Parameters:
  ///   - node: The attribute that applies the macro.
  ///   - declaration: The declaration to which the attribute is attached.
  ///   - context: The context of the expansion.
  /// - Throws: No error. The method is declared with `throws` to match the macro protocol.
  package static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    PropertyMembers(of: declaration, in: context)?.accessors(suffix: "") ?? []
  }

  /// Creates the storage and the key of a persisted property; returns no members if the declaration
  /// is not a persisted property.
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
    PropertyMembers(of: declaration, in: context)?.peers ?? []
  }
}

/// The macro `@_TransformablePersistedProperty`, which `@Model` adds to stored properties with a
/// value transformer. The generated accessors read and write the values of the managed object.
package struct TransformablePropertyMacro: AccessorMacro, PeerMacro {
  /// Creates the accessors of a persisted property; returns no accessors if the declaration is not
  /// a persisted property.
  ///
  /// - Parameters:
  ///   - node: The attribute that applies the macro.
  ///   - declaration: The declaration to which the attribute is attached.
  ///   - context: The context of the expansion.
  /// - Throws: No error. The method is declared with `throws` to match the macro protocol.
  package static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    PropertyMembers(of: declaration, in: context)?.accessors(suffix: "Transformable") ?? []
  }

  /// Creates the storage and the key of a persisted property; returns no members if the declaration
  /// is not a persisted property.
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
    PropertyMembers(of: declaration, in: context)?.peers ?? []
  }
}

/// Renders the members of one persisted property.
///
/// The property's initial value is written to `_$backingData`, a member of the class that declares
/// the property: the managed object or, in a subclass of a model, the values that the subclass
/// keeps until the root class creates the managed object. All other accesses use `__object`, a
/// member of the root class.
private struct PropertyMembers {
  private let property: ModelProperty
  private let key: String

  init?(of declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext) {
    guard let variable = declaration.as(VariableDeclSyntax.self),
      let property = ModelProperty(variable)
    else { return nil }
    self.property = property
    let owner = context.lexicalContext.first?.as(ClassDeclSyntax.self)
    key = "\(owner?.name.plainName.asIdentifier ?? "Self").\(property.key)"
  }

  /// The accessors; constants have no setter.
  ///
  /// - Parameter suffix: The ending of the names of the library's functions.
  func accessors(suffix: String) -> [AccessorDeclSyntax] {
    let getter: AccessorDeclSyntax =
      "get { __reading(__object) { $0.get\(raw: suffix)(\(raw: key)) } }"
    let setter: AccessorDeclSyntax =
      "set { __object.set\(raw: suffix)(\(raw: key), newValue, for: self) }"
    return [initializer(suffix), getter] + (property.isConstant ? [] : [setter])
  }

  private func initializer(_ suffix: String) -> AccessorDeclSyntax {
    """
    @storageRestrictions(accesses: _$backingData, initializes: \(raw: property.storage))
    init(initialValue) {
      _$backingData.initialize\(raw: suffix)(\(raw: key), initialValue)
      \(raw: property.storage) = _SwiftDataNoType()
    }
    """
  }

  /// The storage and the key of the property.
  ///
  /// The storage is optional if the property is optional, and has an initial value if the property
  /// has a default value, so that initializers need not set such a property.
  var peers: [DeclSyntax] {
    let optional = property.type?.wrapped == nil ? "" : "?"
    let initial = property.defaultValue == nil ? "" : " = _SwiftDataNoType()"
    return [
      "@Transient private var \(raw: property.storage): _SwiftDataNoType\(raw: optional)\(raw: initial)",
      "private nonisolated static let \(raw: property.key) = __ModelKey(\"\(raw: property.name)\")",
    ]
  }
}
