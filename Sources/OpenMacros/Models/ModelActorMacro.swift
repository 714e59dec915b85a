package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// The macro `@ModelActor`, which adds a context and an executor to an actor. The executor runs the
/// actor's code.
package struct ModelActorMacro {}

extension ModelActorMacro: MemberMacro {
  /// Creates the properties `modelExecutor` and `modelContainer` and the initializer
  /// `init(modelContainer:)`, unless the actor declares these members itself.
  ///
  /// The method creates no initializer for an actor with other properties that need an initial
  /// value. Such an actor must declare its own initializers. If the declaration is not an actor,
  /// the method reports the error to the compiler and returns no members.
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
    guard declaration.is(ActorDeclSyntax.self) else {
      let fixIts = declaration.as(ClassDeclSyntax.self).map { [ModelFixIt.makeActor($0)] } ?? []
      ModelDiagnostic.actorNeeded.report(at: node, fixIts: fixIts, in: context)
      return []
    }
    let access = AccessLevel.text(of: declaration, in: context.lexicalContext)
    let members = declaration.memberBlock.members.allMembers.map(\.declaration)
    var result: [DeclSyntax] = []
    if !members.contains(where: { $0.declares("modelExecutor") }) {
      result.append("\(raw: access)nonisolated let modelExecutor: any __ModelExecutor")
    }
    if !members.contains(where: { $0.declares("modelContainer") }) {
      result.append("\(raw: access)nonisolated let modelContainer: __ModelContainer")
    }
    let needsMore = members.contains { member in
      member.as(VariableDeclSyntax.self)?.needsInitializer(besides: [
        "modelExecutor", "modelContainer",
      ])
        ?? false
    }
    if !needsMore, !members.contains(where: \.isContainerInitializer) {
      result.append(initializer(access))
    }
    return result
  }

  private static func initializer(_ access: String) -> DeclSyntax {
    """
    \(raw: access)init(modelContainer: __ModelContainer) {
      self.modelExecutor = __DefaultSerialModelExecutor(modelContext: __ModelContext(modelContainer))
      self.modelContainer = modelContainer
    }
    """
  }
}

extension ModelActorMacro: ExtensionMacro {
  /// Creates the conformance to `ModelActor`, unless the actor declares the conformance.
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
    guard declaration.is(ActorDeclSyntax.self), !protocols.isEmpty else { return [] }
    let conformance: DeclSyntax = "extension \(type.trimmed): __ModelActor {}"
    return [conformance].compactMap { $0.as(ExtensionDeclSyntax.self) }
  }
}

extension DeclSyntax {
  /// Whether the declaration is a property of that name.
  fileprivate func declares(_ name: String) -> Bool {
    `as`(VariableDeclSyntax.self)?.bindings.contains { binding in
      binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainName == name
    } ?? false
  }

  /// Whether the declaration is `init(modelContainer:)`.
  fileprivate var isContainerInitializer: Bool {
    let parameters = `as`(InitializerDeclSyntax.self)?.signature.parameterClause.parameters
    return parameters?.map(\.firstName.plainName) == ["modelContainer"]
  }
}

extension VariableDeclSyntax {
  /// Whether initializers must give a value to a property that the declaration declares.
  fileprivate func needsInitializer(besides names: Set<String>) -> Bool {
    declaresStoredProperties
      && bindings.contains { binding in
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainName,
          !names.contains(name), binding.initializer == nil
        else { return false }
        let startsAsNil = binding.typeAnnotation?.type.startsAsNil ?? false
        return bindingSpecifier.tokenKind == .keyword(.let) || !startsAsNil
      }
  }
}
