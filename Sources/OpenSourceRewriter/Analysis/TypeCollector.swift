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
    /// The properties by their names in Swift.
    var properties: [String: Property] = [:]
  }

  /// The parts of a property's declaration on which key paths depend.
  struct Property {
    /// The key of a managed property whose Objective-C name differs from its Swift name.
    var key: String?
    /// The type of the value, or of the elements of a collection.
    var type: [String]?
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
        guard let name else { continue }
        type.properties[name] = Property(
          key: attributes?.managedKey, type: binding.typeAnnotation?.type.elementPath)
      }
    }
    types.append(type)
  }
}

extension AttributeListSyntax {
  /// The key of a managed property, as stated by `@objc(key) @NSManaged` or `@Managed("key")`; nil
  /// if the property's name is the key.
  fileprivate var managedKey: String? {
    let key =
      named("Managed")?.argumentText?.trimmingPrefix("\"").prefix { $0 != "\"" }
      ?? (named("NSManaged") == nil ? nil : named("objc")?.argumentText?[...])
    return key.flatMap { String($0).isIdentifier ? String($0) : nil }
  }
}

extension TypeSyntax {
  /// The name of the type that a key path continues with: the wrapped type of an optional, or the
  /// element type of a collection.
  fileprivate var elementPath: [String]? {
    if let optional = `as`(OptionalTypeSyntax.self) { return optional.wrappedType.elementPath }
    if let optional = `as`(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return optional.wrappedType.elementPath
    }
    if let array = `as`(ArrayTypeSyntax.self) { return array.element.elementPath }
    guard ["Set", "Array", "Optional"].contains(simpleName),
      let argument = genericArguments?.first
    else { return namePath }
    return Syntax(argument.argument).as(TypeSyntax.self)?.elementPath
  }
}
