package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// `@_PersistedProperty`, which `@Model` adds to stored properties: accessors that read and write
/// the managed object.
package struct PersistedPropertyMacro: AccessorMacro, PeerMacro {
  /// Creates the accessors of a property.
  package static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    PropertyMembers(of: declaration, in: context)?.accessors(suffix: "") ?? []
  }

  /// Creates the storage and the key of a property.
  package static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    PropertyMembers(of: declaration, in: context)?.peers ?? []
  }
}

/// `@_TransformablePersistedProperty`: the same for properties that a value transformer stores.
package struct TransformablePropertyMacro: AccessorMacro, PeerMacro {
  /// Creates the accessors of a property.
  package static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    PropertyMembers(of: declaration, in: context)?.accessors(suffix: "Transformable") ?? []
  }

  /// Creates the storage and the key of a property.
  package static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    PropertyMembers(of: declaration, in: context)?.peers ?? []
  }
}

/// Renders what belongs to one persisted property.
///
/// Initial values go to `_$backingData`, storage of the property's own class: the object itself, or
/// the values that a sub-model keeps until the root class makes the object. All else goes through
/// `__object`, which the root class has.
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
  /// - Parameter suffix: What the names of the library's functions end in.
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

  /// The storage is optional or has an initial value where the property is or has, so that
  /// initializers may leave it out.
  var peers: [DeclSyntax] {
    let optional = property.type?.wrapped == nil ? "" : "?"
    let initial = property.defaultValue == nil ? "" : " = _SwiftDataNoType()"
    return [
      "@Transient private var \(raw: property.storage): _SwiftDataNoType\(raw: optional)\(raw: initial)",
      "private nonisolated static let \(raw: property.key) = __ModelKey(\"\(raw: property.name)\")",
    ]
  }
}
