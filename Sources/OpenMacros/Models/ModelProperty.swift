import SwiftSyntax

/// A stored property that `@Model` persists.
struct ModelProperty {
  /// The name without backticks, which is also the property's name in the schema.
  let name: String
  /// The declared type, if there is an annotation.
  let type: TypeSyntax?
  /// The initial value.
  let defaultValue: ExprSyntax?
  /// Whether the property is declared with `let`.
  let isConstant: Bool
  /// The declaration.
  let variable: VariableDeclSyntax

  /// Reads a declaration; nil unless it declares one persisted property.
  init?(_ variable: VariableDeclSyntax) {
    guard variable.declaresStoredProperties, variable.marker("Transient") == nil,
      variable.unpersistedModifier == nil, variable.bindings.count == 1,
      let binding = variable.bindings.first,
      let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
    else { return nil }
    name = pattern.identifier.plainName
    type = binding.typeAnnotation?.type.trimmed
    defaultValue = binding.initializer?.value.trimmed
    isConstant = variable.bindingSpecifier.tokenKind == .keyword(.let)
    self.variable = variable
  }

  /// The name as source code refers to it.
  var reference: String { name.asIdentifier }
  /// The storage that the initializers of the class see as initialized.
  var storage: String { "_\(name)".escapedUnlessIdentifier }
  /// The static constant that holds the property's key.
  var key: String { "__key_\(name)".escapedUnlessIdentifier }

  /// Whether a value transformer stores the property.
  var isTransformable: Bool {
    variable.marker("Attribute")?.argumentList.contains { argument in
      let call = argument.expression.as(FunctionCallExprSyntax.self)
      return (call?.calledExpression ?? argument.expression).memberName == "transformable"
    } ?? false
  }

  /// The initial value as an expression of the declared type, so that a value such as `.draft` also
  /// compiles.
  var typedDefaultValue: String {
    guard let defaultValue else { return "nil" }
    if defaultValue.isStatement { return valueOfStatement(defaultValue) }
    guard let type else { return defaultValue.description }
    // The operator `as` binds more tightly than other operators, such as comparisons.
    let value = defaultValue.hasOperators ? "(\(defaultValue))" : "\(defaultValue)"
    return "(\(value) as \(type.withoutImplicitUnwrapping))"
  }

  /// Returns an `if` or `switch` expression as an argument. Swift accepts these expressions in
  /// declarations, but not as arguments.
  private func valueOfStatement(_ expression: ExprSyntax) -> String {
    let annotation = type.map { ": \($0.withoutImplicitUnwrapping)" } ?? ""
    return "{\nlet __value\(annotation) = \(expression)\nreturn __value\n}()"
  }

  /// The expression that describes the property's attribute or relationship.
  var metadata: String {
    for marker in ["Attribute", "Relationship"] {
      guard let attribute = variable.marker(marker) else { continue }
      return "__Schema.\(marker)(\(attribute.argumentList.trimmedDescription))"
    }
    return "nil"
  }
}

extension VariableDeclSyntax {
  /// Whether the declaration belongs to instances and has no accessors but observers.
  var declaresStoredProperties: Bool {
    !modifiers.contains(where: \.isTypeMember) && bindings.allSatisfy(\.isStored)
  }

  /// A modifier that a persisted property cannot have.
  var unpersistedModifier: DeclModifierSyntax? {
    modifiers.first { modifier in
      [.keyword(.lazy), .keyword(.weak), .keyword(.unowned)].contains(modifier.name.tokenKind)
    }
  }

  /// The use of one of the macros that describe a property.
  func marker(_ name: String) -> AttributeSyntax? {
    attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }.first { $0.isMarker(name) }
  }
}

extension AttributeSyntax {
  /// Whether the attribute is the macro of that name, with or without its module.
  func isMarker(_ name: String) -> Bool {
    if let plain = attributeName.as(IdentifierTypeSyntax.self) {
      return plain.name.plainName == name
    }
    guard let member = attributeName.as(MemberTypeSyntax.self) else { return false }
    return member.name.plainName == name
      && ["SwiftData", "OpenSwiftData"].contains(member.baseType.trimmedDescription)
  }

  /// The arguments; empty for an attribute without parentheses.
  var argumentList: LabeledExprListSyntax {
    guard case .argumentList(let list) = arguments else { return [] }
    return list
  }
}

extension ExprSyntax {
  /// Whether the expression consists of operands and of infix or ternary operators.
  fileprivate var hasOperators: Bool {
    self.is(SequenceExprSyntax.self) || self.is(InfixOperatorExprSyntax.self)
      || self.is(TernaryExprSyntax.self) || self.is(AsExprSyntax.self)
      || self.is(IsExprSyntax.self)
  }

  /// Whether the expression is an `if` or `switch` expression.
  fileprivate var isStatement: Bool { self.is(IfExprSyntax.self) || self.is(SwitchExprSyntax.self) }

  /// The name of the member that the expression refers to.
  var memberName: String? { `as`(MemberAccessExprSyntax.self)?.declName.baseName.plainName }
}

extension PatternBindingSyntax {
  /// The `willSet` and `didSet` of the binding.
  var observers: [AccessorDeclSyntax] {
    guard case .accessors(let accessors) = accessorBlock?.accessors else { return [] }
    return accessors.filter { accessor in
      [.keyword(.willSet), .keyword(.didSet)].contains(accessor.accessorSpecifier.tokenKind)
    }
  }

  /// Whether the binding has storage.
  fileprivate var isStored: Bool {
    switch accessorBlock?.accessors {
    case nil: true
    case .accessors(let accessors): accessors.count == observers.count
    case .getter: false
    }
  }
}
