package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// The macro `@Model`, which generates the schema of a class's stored properties, and members that
/// connect a model object with its managed object.
package struct PersistentModelMacro {}

extension PersistentModelMacro: MemberMacro {
  /// Checks the class, and generates the members that connect a model object with its managed
  /// object. The method reports errors in the class to the compiler.
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
    guard let type = declaration.modelClass else {
      ModelDeclarationCheck.report(notAModel: declaration, at: node, in: context)
      return []
    }
    let model = ModelDeclaration(
      type, missingConformances: protocols, in: context.lexicalContext)
    ModelDeclarationCheck(of: type, model, at: node).report(in: context)
    return ModelMembers(of: model).all
  }
}

extension PersistentModelMacro: MemberAttributeMacro {
  /// Adds `@_PersistedProperty` or `@_TransformablePersistedProperty` to each persisted property.
  ///
  /// - Parameters:
  ///   - node: The attribute that applies the macro.
  ///   - declaration: The declaration to which the attribute is attached.
  ///   - member: The member that receives the attributes.
  ///   - context: The context of the expansion.
  /// - Throws: No error. The method is declared with `throws` to match the macro protocol.
  package static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
  ) throws -> [AttributeSyntax] {
    guard declaration.modelClass != nil, let variable = member.as(VariableDeclSyntax.self),
      let property = ModelProperty(variable)
    else { return [] }
    let name =
      property.isTransformable ? "_TransformablePersistedProperty" : "_PersistedProperty"
    return ["@\(raw: name)"]
  }
}

extension PersistentModelMacro: ExtensionMacro {
  /// Creates the conformances that the compiler requests; the compiler does not request
  /// conformances that the class already has.
  ///
  /// - Parameters:
  ///   - node: The attribute that applies the macro.
  ///   - declaration: The declaration to which the attribute is attached.
  ///   - type: The type that the extensions extend.
  ///   - protocols: The protocols that the macro can add and to which the type does not yet
  ///     conform.
  ///   - context: The context of the expansion.
  /// - Throws: No error. The method is declared with `throws` to match the macro protocol.
  package static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard declaration.modelClass != nil else { return [] }
    let type = type.trimmed
    var extensions: [DeclSyntax] = []
    if protocols.contains(where: { $0.isNamed("PersistentModel") }) {
      extensions.append("extension \(type): nonisolated __PersistentModel {}")
    }
    if protocols.contains(where: { $0.isNamed("__RootModel") }) {
      extensions.append("extension \(type): nonisolated __RootModel {}")
    }
    if protocols.contains(where: { $0.isNamed("Observable") }) {
      extensions.append("extension \(type): nonisolated __Observable {}")
    }
    if protocols.contains(where: { $0.isNamed("Sendable") }) {
      extensions.append(
        """
        @available(*, unavailable, message: "models are not Sendable: pass the persistentModelID, or use a ModelActor")
        extension \(type): Swift.Sendable {}
        """)
    }
    // The library has the members. A class that conforms itself, in any file of its module, keeps
    // its conformance.
    for name in ["CustomReflectable", "CustomDebugStringConvertible"]
    where protocols.contains(where: { $0.isNamed(name) }) {
      extensions.append("extension \(type): nonisolated Swift.\(raw: name) {}")
    }
    return extensions.compactMap { $0.as(ExtensionDeclSyntax.self) }
  }
}

extension DeclGroupSyntax {
  /// The declaration as a class that can be a model.
  fileprivate var modelClass: ClassDeclSyntax? {
    guard let type = `as`(ClassDeclSyntax.self), type.genericParameterClause == nil,
      type.attributes.globalActor == nil
    else { return nil }
    return type
  }
}
