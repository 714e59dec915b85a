import SwiftSyntax

/// A visitor that finds the types and extensions in one file.
final class TypeCollector: SyntaxVisitor {
  /// A declaration of a type, or an extension of a type.
  struct FoundType {
    let path: [String]
    /// The first type in the inheritance clause of a class, or the type that a type alias refers
    /// to.
    var superclass: [String]?
    var hasManagedMembers = false
    /// Whether the class has the attribute `@objcMembers`.
    var isVisible = false
    var isAlias = false
    var properties: Set<String> = []
  }

  private(set) var types: [FoundType] = []

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    let superclass = node.inheritanceClause?.inheritedTypes.first?.type.namePath
    note(
      node.typePath, node.memberBlock, superclass: superclass ?? [],
      isVisible: node.attributes.named("objcMembers") != nil)
    return .visitChildren
  }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    note(node.typePath, node.memberBlock)
    return .visitChildren
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    note(node.typePath, node.memberBlock)
    return .visitChildren
  }

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    note(node.typePath, node.memberBlock)
    return .visitChildren
  }

  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    note(node.typePath, node.memberBlock)
    return .visitChildren
  }

  override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
    let target = node.initializer.value.namePath
    types.append(
      FoundType(
        path: node.enclosingPath + [node.name.plainName], superclass: target, isAlias: true))
    return .visitChildren
  }

  private func note(
    _ path: [String], _ block: MemberBlockSyntax, superclass: [String]? = nil,
    isVisible: Bool = false
  ) {
    var type = FoundType(path: path, superclass: superclass, isVisible: isVisible)
    for member in block.members.allDeclarations {
      let attributes = member.asProtocol((any WithAttributesSyntax).self)?.attributes
      if attributes?.named("NSManaged") != nil || attributes?.named("Managed") != nil {
        type.hasManagedMembers = true
      }
      for binding in member.as(VariableDeclSyntax.self)?.bindings ?? [] {
        let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainName
        if let name { type.properties.insert(name) }
      }
    }
    types.append(type)
  }
}
