import SwiftSyntax
import SwiftSyntaxMacros

/// Finds what is wrong with a use of `@Attribute` or `@Relationship`.
struct MarkerCheck {
  private let attribute: AttributeSyntax
  private let name: String
  private let declaration: DeclSyntax

  init(of attribute: AttributeSyntax, named name: String, on declaration: some DeclSyntaxProtocol) {
    self.attribute = attribute
    self.name = name
    self.declaration = DeclSyntax(declaration)
  }

  /// Reports the first error in the attribute.
  func report(in context: some MacroExpansionContext) {
    guard let variable = declaration.as(VariableDeclSyntax.self) else {
      return ModelDiagnostic.notStored(marker: name).report(at: attribute, in: context)
    }
    guard variable.declaresStoredProperties else {
      return ModelDiagnostic.notStored(marker: name)
        .report(
          at: attribute, fixIts: [ModelFixIt.remove(attribute, from: variable)], in: context)
    }
    if name == "Relationship" { checkRelationship(variable, in: context) }
  }

  private func checkRelationship(
    _ variable: VariableDeclSyntax, in context: some MacroExpansionContext
  ) {
    guard let binding = variable.bindings.first, let type = binding.typeAnnotation?.type else {
      return
    }
    let property = binding.pattern.trimmedDescription
    if type.isObviouslyNoModel {
      return ModelDiagnostic.notAModel(type: type.trimmedDescription)
        .report(
          at: type, fixIts: [ModelFixIt.remove(attribute, from: variable)], in: context)
    }
    if let element = type.setElement {
      return ModelDiagnostic.setOfModels(property: property)
        .report(at: type, fixIts: [ModelFixIt.makeArray(type, of: element)], in: context)
    }
    let arguments = attribute.argumentList
    if type.arrayElement != nil,
      let unique = arguments.first(where: { $0.expression.memberName == "unique" })
    {
      ModelDiagnostic.uniqueToMany
        .report(
          at: unique, fixIts: [ModelFixIt.remove(unique, from: arguments, of: attribute)],
          in: context)
    }
  }
}
