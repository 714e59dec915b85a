import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Finds what is wrong with a class that has `@Model`.
struct ModelDeclarationCheck {
  private let type: ClassDeclSyntax
  private let model: ModelDeclaration
  private let attribute: AttributeSyntax

  init(of type: ClassDeclSyntax, _ model: ModelDeclaration, at attribute: AttributeSyntax) {
    self.type = type
    self.model = model
    self.attribute = attribute
  }

  /// Says why a declaration cannot be a model at all.
  static func report(
    notAModel declaration: some DeclGroupSyntax, at attribute: AttributeSyntax,
    in context: some MacroExpansionContext
  ) {
    if let type = declaration.as(ClassDeclSyntax.self) {
      return report(notAModel: type, in: context)
    }
    let keyword =
      declaration.as(StructDeclSyntax.self)?.structKeyword
      ?? declaration.as(ActorDeclSyntax.self)?.actorKeyword
    let fixIts = keyword.map { [ModelFixIt.makeClass(keyword: $0)] } ?? []
    ModelDiagnostic.classNeeded.report(at: attribute, fixIts: fixIts, in: context)
  }

  private static func report(
    notAModel type: ClassDeclSyntax, in context: some MacroExpansionContext
  ) {
    if let parameters = type.genericParameterClause {
      return ModelDiagnostic.genericClass.report(at: parameters, in: context)
    }
    guard let actor = type.attributes.globalActor else { return }
    ModelDiagnostic.isolatedClass(actor: actor.attributeName.trimmedDescription)
      .report(at: actor, fixIts: [ModelFixIt.remove(actor, from: type)], in: context)
  }

  /// Reports all that is wrong.
  func report(in context: some MacroExpansionContext) {
    checkInitializer(in: context)
    for item in type.memberBlock.members.allItems {
      guard let variable = item.decl.as(VariableDeclSyntax.self),
        variable.declaresStoredProperties
      else { continue }
      checkConditions(of: variable, in: context)
      if variable.marker("Transient") != nil {
        check(transient: variable, in: context)
      } else {
        check(variable, item, in: context)
      }
    }
  }

  private func checkInitializer(in context: some MacroExpansionContext) {
    let hasInitializer = type.memberBlock.members.allItems.contains { item in
      item.decl.is(InitializerDeclSyntax.self)
    }
    if hasInitializer { return }
    // What the superclass wants to be initialized with cannot be seen here.
    let fixIts =
      model.isSubmodel ? [] : [ModelFixIt.addInitializer(to: type, of: model)]
    ModelDiagnostic.noInitializer(type: type.name.plainName)
      .report(at: attribute, fixIts: fixIts, in: context)
  }

  /// A macro cannot know whether a condition holds.
  private func checkConditions(
    of variable: VariableDeclSyntax, in context: some MacroExpansionContext
  ) {
    for attribute in variable.attributes.conditionalAttributes {
      for marker in ["Attribute", "Relationship", "Transient"] where attribute.isMarker(marker) {
        ModelDiagnostic.conditionalMarker(marker).report(at: attribute, in: context)
      }
    }
  }

  // MARK: Transient properties

  /// Requires initial values of transient properties, because the initializer that the library
  /// calls does not set these properties.
  private func check(
    transient variable: VariableDeclSyntax, in context: some MacroExpansionContext
  ) {
    for binding in variable.bindings where binding.initializer == nil {
      guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self),
        let type = binding.typeAnnotation?.type
      else { continue }
      if variable.bindingSpecifier.tokenKind == .keyword(.let) {
        ModelDiagnostic
          .transientConstantWithoutValue(property: pattern.identifier.plainName)
          .report(
            at: variable, fixIts: [ModelFixIt.addInitialValue(to: binding)], in: context)
        continue
      }
      if type.startsAsNil { continue }
      ModelDiagnostic.transientWithoutValue(property: pattern.identifier.plainName)
        .report(
          at: variable,
          fixIts: [ModelFixIt.addInitialValue(to: binding), ModelFixIt.makeOptional(type)],
          in: context)
    }
  }

  // MARK: Persisted properties

  private func check(
    _ variable: VariableDeclSyntax, _ item: MemberBlockItemSyntax,
    in context: some MacroExpansionContext
  ) {
    guard let binding = variable.bindings.first else { return }
    if variable.bindings.count > 1 {
      let split = ModelFixIt.split(variable, item: item)
      ModelDiagnostic.severalVariables
        .report(at: variable.bindings, fixIts: [split].compactMap { $0 }, in: context)
      return
    }
    guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainName else {
      return ModelDiagnostic.pattern.report(at: binding.pattern, in: context)
    }
    if let modifier = variable.unpersistedModifier {
      ModelDiagnostic.modifier(modifier.name.text, property: name)
        .report(at: modifier, fixIts: [ModelFixIt.addTransient(to: variable)], in: context)
    }
    checkType(of: binding, name, in: context)
    checkMarkers(of: variable, name, in: context)
    if let observer = binding.observers.first {
      ModelDiagnostic.observers(observer.accessorSpecifier.text, property: name)
        .report(at: observer, fixIts: [ModelFixIt.removeObservers(of: binding)], in: context)
    }
  }

  private func checkType(
    of binding: PatternBindingSyntax, _ name: String, in context: some MacroExpansionContext
  ) {
    guard let annotation = binding.typeAnnotation?.type else {
      if binding.initializer == nil {
        ModelDiagnostic.missingType(property: name)
          .report(at: binding, fixIts: [ModelFixIt.addType(to: binding)], in: context)
      }
      return
    }
    // Whether another class is a model cannot be seen here.
    if let element = annotation.setElement, element.trimmedDescription == type.name.text {
      ModelDiagnostic.setOfModels(property: name)
        .report(
          at: annotation, fixIts: [ModelFixIt.makeArray(annotation, of: element)], in: context)
    }
  }

  private func checkMarkers(
    of variable: VariableDeclSyntax, _ name: String, in context: some MacroExpansionContext
  ) {
    guard let attribute = variable.marker("Attribute"),
      let relationship = variable.marker("Relationship")
    else { return }
    ModelDiagnostic.bothMarkers(property: name)
      .report(
        at: relationship,
        fixIts: [
          ModelFixIt.remove(attribute, from: variable),
          ModelFixIt.remove(relationship, from: variable),
        ], in: context)
  }
}

extension AttributeListSyntax {
  /// The attribute that names a global actor. By convention, the name of a global actor ends in
  /// "Actor".
  var globalActor: AttributeSyntax? {
    lazy.compactMap { $0.as(AttributeSyntax.self) }.first { attribute in
      let name = attribute.attributeName
      return name.trimmedDescription.hasSuffix("Actor") && !attribute.isMarker("ModelActor")
    }
  }

  /// The attributes in `#if` blocks.
  fileprivate var conditionalAttributes: [AttributeSyntax] {
    lazy.compactMap { $0.as(IfConfigDeclSyntax.self) }.flatMap(\.clauses)
      .flatMap { clause -> [AttributeSyntax] in
        guard case .attributes(let inner)? = clause.elements else { return [] }
        return inner.compactMap { $0.as(AttributeSyntax.self) } + inner.conditionalAttributes
      }
  }
}

extension MemberBlockItemListSyntax {
  /// All members, those in `#if` directives included.
  fileprivate var allItems: [MemberBlockItemSyntax] {
    flatMap { item -> [MemberBlockItemSyntax] in
      guard let directive = item.decl.as(IfConfigDeclSyntax.self) else { return [item] }
      return directive.clauses.flatMap { clause -> [MemberBlockItemSyntax] in
        guard case .decls(let members)? = clause.elements else { return [] }
        return members.allItems
      }
    }
  }
}
