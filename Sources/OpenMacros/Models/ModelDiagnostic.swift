import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// An error in the declaration of a model; each case has one message.
enum ModelDiagnostic: DiagnosticMessage {
  // @Model
  case classNeeded
  case genericClass
  case isolatedClass(actor: String)
  case noInitializer(type: String)
  // Properties
  case modifier(String, property: String)
  case severalVariables
  case pattern
  case missingType(property: String)
  case transientWithoutValue(property: String)
  case transientConstantWithoutValue(property: String)
  case conditionalMarker(String)
  case setOfModels(property: String)
  case bothMarkers(property: String)
  case observers(String, property: String)
  // @Attribute, @Relationship
  case notStored(marker: String)
  case notAModel(type: String)
  case uniqueToMany
  // @ModelActor
  case actorNeeded

  var severity: DiagnosticSeverity {
    if case .observers = self { return .warning }
    return .error
  }

  var diagnosticID: MessageID { MessageID(domain: "OpenSwiftData", id: message) }

  var message: String {
    switch self {
    case .classNeeded: "'@Model' can only be applied to a class"
    case .genericClass: "'@Model' cannot be applied to a generic class"
    case .isolatedClass(let actor):
      "a model cannot be isolated to an actor, because its context determines where the model is used; remove '@\(actor)'"
    case .noInitializer(let type): "@Model requires an initializer be provided for '\(type)'"
    case .modifier(let modifier, let property):
      "a persisted property cannot be '\(modifier)'; make '\(property)' transient"
    case .severalVariables: "'@Model' requires a separate declaration for each property"
    case .pattern: "'@Model' requires properties with simple names"
    case .missingType(let property): "'\(property)' requires a type or an initial value"
    case .transientWithoutValue(let property):
      "@Transient requires non-optional property '\(property)' to have a default value"
    case .transientConstantWithoutValue(let property):
      "@Transient requires constant '\(property)' to have a default value"
    case .conditionalMarker(let marker):
      "'@Model' cannot evaluate the '#if' block around '@\(marker)'; put the whole declaration of the property in the block"
    case .setOfModels(let property):
      "'\(property)' cannot be a set; a to-many relationship must be an array of models"
    case .bothMarkers(let property):
      "'\(property)' cannot be both an attribute and a relationship"
    case .observers(let observer, let property):
      "'\(observer)' of '\(property)' is never called, because the value of a persisted property is stored in its context"
    case .notStored(let marker): "'@\(marker)' can only be attached to a stored property of a model"
    case .notAModel(let type):
      "'\(type)' is not a model; the type of a relationship must be a model or an array of models"
    case .uniqueToMany: "a to-many relationship cannot be unique"
    case .actorNeeded: "'@ModelActor' can only be applied to an actor"
    }
  }

  /// Shows the message to the user.
  func report(
    at node: some SyntaxProtocol, fixIts: [FixIt] = [], in context: some MacroExpansionContext
  ) {
    context.diagnose(Diagnostic(node: Syntax(node), message: self, fixIts: fixIts))
  }
}
