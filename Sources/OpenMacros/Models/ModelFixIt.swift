import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// The changes that the messages about models offer.
enum ModelFixIt {
  private struct Message: FixItMessage {
    let message: String
    var fixItID: MessageID { MessageID(domain: "OpenSwiftData", id: message) }
  }

  private static func replace(
    _ old: some SyntaxProtocol, by new: some SyntaxProtocol, _ message: String
  ) -> FixIt {
    FixIt(
      message: Message(message: message),
      changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
  }

  // MARK: Types

  /// Declares a structure or an actor as a class.
  static func makeClass(keyword: TokenSyntax) -> FixIt {
    let new = TokenSyntax.identifier("final class")
      .with(\.leadingTrivia, keyword.leadingTrivia).with(\.trailingTrivia, keyword.trailingTrivia)
    return replace(keyword, by: new, "replace '\(keyword.text)' with 'final class'")
  }

  /// Declares a class as an actor.
  static func makeActor(_ type: ClassDeclSyntax) -> FixIt {
    let keyword = type.classKeyword
    let final = type.modifiers.first { $0.name.tokenKind == .keyword(.final) }
    let leading = final.map { $0.leadingTrivia } ?? keyword.leadingTrivia
    var new = type
    new.classKeyword = .keyword(.actor, leadingTrivia: leading, trailingTrivia: .space)
    new.modifiers = type.modifiers.filter { $0.name.tokenKind != .keyword(.final) }
    return replace(type, by: new, "replace 'class' with 'actor'")
  }

  /// Adds an initializer with a parameter for each property that needs a value.
  static func addInitializer(to type: ClassDeclSyntax, of model: ModelDeclaration) -> FixIt {
    let needed = model.properties.map(\.property).filter { property in
      property.defaultValue == nil && property.type?.startsAsNil != true
    }
    let parameters = needed.map { property in
      "\(property.name): \(property.type?.trimmedDescription ?? "<#type#>")"
    }
    let lines = needed.map { "    self.\($0.reference) = \($0.reference)\n" }
    let text =
      "\n\n  \(model.memberAccess)init(\(parameters.joined(separator: ", "))) {\n\(lines.joined())  }"
    var members = type.memberBlock
    members.members.append(MemberBlockItemSyntax(decl: DeclSyntax("\(raw: text)")))
    return replace(type.memberBlock, by: members, "add an initializer")
  }

  // MARK: Properties

  /// Adds an attribute before a declaration.
  static func addTransient(to variable: VariableDeclSyntax) -> FixIt {
    var bare = variable
    bare.leadingTrivia = []
    let new: DeclSyntax = "@Transient \(bare)"
    return replace(
      variable, by: new.with(\.leadingTrivia, variable.leadingTrivia), "add '@Transient'")
  }

  /// Removes a use of a macro.
  static func remove(
    _ attribute: AttributeSyntax, from declaration: some WithAttributesSyntax
  ) -> FixIt {
    // The attribute node that a macro receives is not the node in the declaration.
    let text = attribute.trimmedDescription
    var new = declaration
    new.attributes = declaration.attributes.filter { $0.trimmedDescription != text }
    new.leadingTrivia = declaration.leadingTrivia
    let name = attribute.attributeName.trimmedDescription
    return replace(declaration, by: new, "remove '@\(name)'")
  }

  /// Gives each variable a separate declaration.
  static func split(_ variable: VariableDeclSyntax, item: MemberBlockItemSyntax) -> FixIt? {
    guard let list = item.parent?.as(MemberBlockItemListSyntax.self),
      let index = list.index(of: item)
    else { return nil }
    var type: TypeAnnotationSyntax?
    var singles: [MemberBlockItemSyntax] = []
    for binding in variable.bindings.reversed() {
      type = binding.typeAnnotation ?? (binding.initializer == nil ? type : nil)
      var single = binding.with(\.trailingComma, nil).with(\.typeAnnotation, type)
      single.pattern.trailingTrivia = type == nil ? single.pattern.trailingTrivia : []
      var declaration = variable.with(\.bindings, [single])
      declaration.leadingTrivia = variable.leadingTrivia
      singles.insert(MemberBlockItemSyntax(decl: DeclSyntax(declaration)), at: 0)
    }
    var new = list
    new.replaceSubrange(index..<list.index(after: index), with: singles)
    return replace(list, by: new, "declare each property separately")
  }

  /// Adds a placeholder for an initial value.
  static func addInitialValue(to binding: PatternBindingSyntax) -> FixIt {
    let value: ExprSyntax = "<#default value#>"
    let initializer = InitializerClauseSyntax(
      equal: .equalToken(leadingTrivia: .space, trailingTrivia: .space), value: value)
    return replace(
      binding, by: binding.with(\.initializer, initializer), "add a default value")
  }

  /// Adds a placeholder for a type.
  static func addType(to binding: PatternBindingSyntax) -> FixIt {
    let type: TypeSyntax = "<#type#>"
    let annotation = TypeAnnotationSyntax(
      colon: .colonToken(trailingTrivia: .space), type: type)
    return replace(binding, by: binding.with(\.typeAnnotation, annotation), "add a type")
  }

  /// Makes a type optional.
  static func makeOptional(_ type: TypeSyntax) -> FixIt {
    let needsParentheses =
      type.is(FunctionTypeSyntax.self) || type.is(SomeOrAnyTypeSyntax.self)
      || type.is(AttributedTypeSyntax.self) || type.is(CompositionTypeSyntax.self)
    let wrapped = type.wrapped?.trimmedDescription ?? type.trimmedDescription
    let text = needsParentheses ? "(\(wrapped))?" : "\(wrapped)?"
    let new: TypeSyntax = "\(raw: text)"
    return replace(
      type, by: new.with(\.trailingTrivia, type.trailingTrivia), "make the property optional")
  }

  /// Writes a set of models as an array.
  static func makeArray(_ type: TypeSyntax, of element: TypeSyntax) -> FixIt {
    let optional = type.wrapped == nil ? "" : "?"
    let new: TypeSyntax = "[\(element.trimmed)]\(raw: optional)"
    return replace(
      type, by: new.with(\.trailingTrivia, type.trailingTrivia), "replace the set with an array")
  }

  /// Removes the observers of a property.
  static func removeObservers(of binding: PatternBindingSyntax) -> FixIt {
    var new = binding
    new.accessorBlock = nil
    new.trailingTrivia = binding.trailingTrivia
    return replace(binding, by: new, "remove the observers")
  }

  /// Removes an argument of a macro.
  static func remove(
    _ argument: LabeledExprSyntax, from list: LabeledExprListSyntax, of attribute: AttributeSyntax
  ) -> FixIt {
    var rest = list.filter { $0.id != argument.id }
    if let last = rest.indices.last { rest[last].trailingComma = nil }
    var new = attribute
    if rest.isEmpty {
      (new.leftParen, new.arguments, new.rightParen) = (nil, nil, nil)
      new.trailingTrivia = attribute.trailingTrivia
    } else {
      new.arguments = .argumentList(rest)
    }
    return replace(attribute, by: new, "remove '\(argument.expression.trimmedDescription)'")
  }
}
