import SwiftSyntax

/// A member of an extension of a managed class that only the Objective-C runtime can find in the
/// extension.
struct ExtensionMember {
  /// The reason why the member must be declared in the class.
  enum Role {
    /// The member overrides a member of a superclass, which Swift allows only in the class.
    case override
    /// The member is a validation method, which is called by name.
    case validator
    /// The member is a property that is read by key.
    case readable
  }

  let role: Role
  let declaration: DeclSyntax
  let parent: ExtensionDeclSyntax

  /// Creates a value for a member; returns nil if the member can stay in the extension.
  ///
  /// - Parameter isVisible: Whether the class has the attribute `@objcMembers`.
  init?(_ declaration: DeclSyntax, in parent: ExtensionDeclSyntax, isVisible: Bool) {
    self.declaration = declaration
    self.parent = parent
    if let modifiers = declaration.memberModifiers,
      modifiers.contains(where: { $0.name.tokenKind == .keyword(.override) })
    {
      role = .override
    } else if declaration.as(FunctionDeclSyntax.self)?.isValidator == true {
      role = .validator
    } else if let variable = declaration.as(VariableDeclSyntax.self), variable.isPlainlyReadable,
      isVisible || variable.attributes.named("objc") != nil
        || parent.attributes.named("objc") != nil, !parent.attributes.nameActor
    {
      role = .readable
    } else {
      return nil
    }
  }

  /// Whether other files cannot use the member.
  var isPrivate: Bool {
    let own = declaration.memberModifiers?.accessLevel ?? parent.modifiers.accessLevel
    return own == "private" || own == "fileprivate"
  }

  /// Whether other files cannot use the member because it is in a private extension.
  var isPrivateByExtension: Bool {
    declaration.memberModifiers?.accessLevel == nil && isPrivate
  }

  /// The `#if` condition under which the member is compiled; nil if there is no condition.
  var condition: String? {
    let parts = declaration.enclosingClauses.reversed().flatMap { clause -> [String] in
      let clauses = Array(clause.parent?.as(IfConfigClauseListSyntax.self) ?? [])
      let earlier = clauses.prefix { $0.id != clause.id }.compactMap(\.condition)
      return earlier.map { "!(\($0.oneLine))" }
        + (clause.condition.map { ["(\($0.oneLine))"] } ?? [])
    }
    return parts.isEmpty ? nil : parts.joined(separator: " && ")
  }
}

extension DeclSyntax {
  fileprivate var memberModifiers: DeclModifierListSyntax? {
    asProtocol((any WithModifiersSyntax).self)?.modifiers
  }
}

extension DeclModifierListSyntax {
  /// The explicit access level; nil if there is none.
  var accessLevel: String? {
    first {
      ["open", "public", "package", "internal", "fileprivate", "private"].contains($0.name.text)
        && $0.detail == nil
    }?
    .name.text
  }

  var nameTypeMember: Bool {
    contains { [.keyword(.static), .keyword(.class)].contains($0.name.tokenKind) }
  }
}

extension AttributeListSyntax {
  /// Whether one of the attributes is a global actor. By convention, the name of a global actor
  /// ends in "Actor".
  var nameActor: Bool {
    contains { element in
      guard case .attribute(let attribute) = element else { return false }
      return attribute.simpleName?.hasSuffix("Actor") == true
    }
  }
}

extension FunctionDeclSyntax {
  /// Whether the method is a validation method of a property.
  fileprivate var isValidator: Bool {
    let written = name.plainName
    guard written.hasPrefix("validate"),
      written.dropFirst("validate".count).first?.isUppercase == true,
      let parameter = signature.parameterClause.parameters.first,
      signature.parameterClause.parameters.count == 1, parameter.firstName.text == "_",
      signature.returnClause == nil, genericParameterClause == nil, !modifiers.nameTypeMember
    else { return false }
    let type = parameter.type.tokens(viewMode: .sourceAccurate).map(\.text).joined()
      .replacing("Swift.", with: "")
    // In the class, the macro reports an autoreleasing pointer to a value of another type.
    return type.hasPrefix("AutoreleasingUnsafeMutablePointer<")
      || type == "UnsafeMutablePointer<AnyObject?>"
  }
}

extension VariableDeclSyntax {
  /// Whether the property's value can be read from an instance without `try` or `await`.
  fileprivate var isPlainlyReadable: Bool {
    guard attributes.named("NSManaged") == nil, attributes.named("nonobjc") == nil,
      !attributes.nameActor, !modifiers.nameTypeMember, bindings.count == 1,
      attributes.all(named: "available").allSatisfy({ !$0.makesUnavailable }),
      let binding = bindings.first, binding.pattern.is(IdentifierPatternSyntax.self)
    else { return false }
    guard case .accessors(let accessors)? = binding.accessorBlock?.accessors else { return true }
    return accessors.allSatisfy { $0.effectSpecifiers == nil }
  }
}

extension AttributeSyntax {
  fileprivate var makesUnavailable: Bool {
    let words = arguments?.tokens(viewMode: .sourceAccurate).map(\.text) ?? []
    return ["*", "swift", "Linux"].contains(words.first)
      && (words.contains("unavailable") || words.contains("obsoleted"))
  }
}
