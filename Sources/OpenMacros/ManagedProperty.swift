import SwiftSyntax

/// A property with the macro `@Managed`.
struct ManagedProperty {
  /// The property's name in Swift.
  let name: String
  /// The property's name in the model.
  let key: String
  /// The type, as an expression before the name of a static member.
  let type: String
  /// Whether the property accesses the primitive value of `key`, if the entity has no property with
  /// the name in Swift.
  let isPrimitive: Bool

  /// Reads and checks a declaration.
  ///
  /// - Throws: `ManagedError` for the first error in the declaration.
  init(
    _ declaration: some DeclSyntaxProtocol, attribute: AttributeSyntax, in context: [Syntax]
  ) throws(ManagedError) {
    let variable = try Self.variable(declaration, attribute: attribute)
    try Self.checkContext(context, of: variable)
    let binding = try Self.binding(of: variable)
    guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
      throw ManagedError(.pattern, at: binding.pattern)
    }
    guard let annotation = binding.typeAnnotation else {
      throw ManagedError(.missingType, at: pattern)
    }
    name = pattern.identifier.plainName
    let primitiveKey = name.propertyName(after: "primitive")
    let argument = try attribute.nameArgument()
    key = argument ?? primitiveKey ?? name
    type = Self.callable(annotation.type)
    isPrimitive = primitiveKey != nil && argument != name
  }

  private static func variable(
    _ declaration: some DeclSyntaxProtocol, attribute: AttributeSyntax
  ) throws(ManagedError) -> VariableDeclSyntax {
    if let function = declaration.as(FunctionDeclSyntax.self) {
      let rename = RenameFix.fixIt(for: attribute)
      throw ManagedError(.useManagedAccessor, at: function.name, fixIts: [rename])
    }
    guard let variable = declaration.as(VariableDeclSyntax.self) else {
      throw ManagedError(.notAProperty, at: declaration)
    }
    guard variable.bindingSpecifier.tokenKind == .keyword(.var) else {
      throw ManagedError(.constant, at: variable.bindingSpecifier)
    }
    if let modifier = variable.modifiers.first(where: \.isTypeMember) {
      throw ManagedError(.staticMember, at: modifier)
    }
    return variable
  }

  private static func binding(
    of variable: VariableDeclSyntax
  ) throws(ManagedError) -> PatternBindingSyntax {
    guard let binding = variable.bindings.first, variable.bindings.count == 1 else {
      throw ManagedError(.severalVariables, at: variable.bindings)
    }
    if let initializer = binding.initializer { throw ManagedError(.initialValue, at: initializer) }
    if let accessors = binding.accessorBlock { throw ManagedError(.accessors, at: accessors) }
    return binding
  }

  private static func checkContext(
    _ context: [Syntax], of variable: VariableDeclSyntax
  ) throws(ManagedError) {
    guard let owner = context.first else { return }
    guard owner.is(ClassDeclSyntax.self) || owner.is(ExtensionDeclSyntax.self) else {
      throw ManagedError(.notInClass, at: variable)
    }
    let parameters = context.compactMap { $0.asProtocol((any WithGenericParametersSyntax).self) }
    if parameters.contains(where: { $0.genericParameterClause != nil }) {
      throw ManagedError(.genericClass, at: variable)
    }
  }

  /// Returns the type as it is written, in parentheses if the expression needs them before a dot.
  private static func callable(_ type: TypeSyntax) -> String {
    let type = type.trimmed
    if let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return "(\(unwrapped.wrappedType.trimmed)?)"
    }
    let needsNone =
      type.is(IdentifierTypeSyntax.self) || type.is(MemberTypeSyntax.self)
      || type.is(ArrayTypeSyntax.self) || type.is(DictionaryTypeSyntax.self)
    return needsNone ? "\(type)" : "(\(type))"
  }
}

extension DeclModifierSyntax {
  /// Whether the modifier declares a member of the type instead of a member of the instances.
  var isTypeMember: Bool {
    name.tokenKind == .keyword(.static) || name.tokenKind == .keyword(.class)
  }
}
