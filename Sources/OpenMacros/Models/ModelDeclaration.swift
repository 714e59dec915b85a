import SwiftSyntax

/// The facts that `@Model` needs about the class to which it is attached.
struct ModelDeclaration {
  /// A persisted property, with the `#if` condition under which it exists.
  struct Property {
    let property: ModelProperty
    let condition: String?
  }

  /// An `#Index` or `#Unique` in the class.
  struct Constraint {
    let name: String
    let expansion: MacroExpansionDeclSyntax
    let condition: String?
  }

  /// The class's name as source code refers to it.
  let name: String
  /// The access level of the class, followed by a space unless it is implied.
  let access: String
  /// Whether the class cannot have subclasses.
  let isFinal: Bool
  /// Whether the superclass is a model. Only models inherit the conformance to `__RootModel`, which
  /// no source declares.
  let isSubmodel: Bool
  /// The persisted properties, in order.
  let properties: [Property]
  /// The indexes, then the uniqueness constraints.
  let constraints: [Constraint]

  /// Reads a class.
  ///
  /// - Parameters:
  ///   - missingConformances: The conformances that the class neither declares nor inherits.
  ///   - context: What encloses the class, innermost first.
  init(_ type: ClassDeclSyntax, missingConformances: [TypeSyntax], in context: [Syntax]) {
    name = type.name.plainName.asIdentifier
    access = AccessLevel.text(of: type, in: context)
    isFinal = type.modifiers.contains { $0.name.tokenKind == .keyword(.final) }
    isSubmodel =
      type.inheritanceClause != nil
      && !missingConformances.contains { $0.isNamed("__RootModel") }
    let members = type.memberBlock.members.allMembers
    properties = members.compactMap { member in
      member.declaration.as(VariableDeclSyntax.self).flatMap(ModelProperty.init)
        .map { Property(property: $0, condition: member.condition) }
    }
    let constraints = members.compactMap(Self.constraint)
    self.constraints =
      constraints.filter { $0.name == "Index" } + constraints.filter { $0.name == "Unique" }
  }

  /// The access level of members that subclasses do not override.
  var memberAccess: String { access == "open " ? "public " : access }

  private static func constraint(_ member: ConditionalMember) -> Constraint? {
    guard let expansion = member.declaration.as(MacroExpansionDeclSyntax.self),
      ["Index", "Unique"].contains(expansion.macroName.plainName)
    else { return nil }
    return Constraint(
      name: expansion.macroName.plainName, expansion: expansion, condition: member.condition)
  }
}

extension TypeSyntax {
  /// Whether the type has that name, in any module, with or without attributes.
  func isNamed(_ name: String) -> Bool {
    if let attributed = `as`(AttributedTypeSyntax.self) {
      return attributed.baseType.isNamed(name)
    }
    if let member = `as`(MemberTypeSyntax.self) { return member.name.plainName == name }
    return `as`(IdentifierTypeSyntax.self)?.name.plainName == name
  }
}
