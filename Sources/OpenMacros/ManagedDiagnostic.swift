import SwiftDiagnostics

/// The errors in uses of the macros. Each case has one error message.
enum ManagedDiagnostic: String, DiagnosticMessage {
  // @Managed
  case notAProperty
  case useManagedAccessor
  case constant
  case severalVariables
  case pattern
  case missingType
  case initialValue
  case accessors
  case staticMember
  case genericClass
  case notInClass
  // @ManagedAccessor
  case notAFunction
  case functionBody
  case functionSignature
  case functionName
  case unnamedParameter
  // @ManagedObject
  case notAClass
  case noSuperclass
  case genericObjectClass
  // @ReadableByKey
  case notReadable
  case actorIsolated
  // Arguments
  case notALiteral
  case notAnIdentifier

  var severity: DiagnosticSeverity { .error }

  var diagnosticID: MessageID { MessageID(domain: "OpenCoreData", id: rawValue) }

  var message: String {
    switch self {
    case .notAProperty: "'@Managed' can only be attached to a property"
    case .useManagedAccessor: "'@Managed' is for properties; write '@ManagedAccessor' on a function"
    case .constant: "'@Managed' needs a 'var': the context changes the value"
    case .severalVariables: "'@Managed' needs a separate declaration for each property"
    case .pattern: "'@Managed' needs a property with a simple name"
    case .missingType: "'@Managed' needs a property with an explicit type"
    case .initialValue:
      "a managed property cannot have an initial value; set a default in the model"
    case .accessors: "a managed property cannot have accessors or observers"
    case .staticMember: "'@Managed' cannot be attached to a static member"
    case .genericClass: "a managed property needs a class without type parameters"
    case .notInClass: "'@Managed' can only be used in a class or an extension of a class"
    case .notAFunction: "'@ManagedAccessor' can only be attached to a method"
    case .functionBody: "'@ManagedAccessor' supplies the body; remove this one"
    case .functionSignature:
      "'@ManagedAccessor' needs an instance method without type parameters, effects and result"
    case .functionName:
      """
      '@ManagedAccessor' knows 'addTo…(_:)', 'removeFrom…(_:)', 'insertInto…(_:at:)', \
      'removeFrom…(at:)' and 'replace…(at:with:)'
      """
    case .unnamedParameter: "'@ManagedAccessor' needs a name for each parameter"
    case .notAClass: "'@ManagedObject' can only be attached to a class"
    case .noSuperclass: "'@ManagedObject' needs a subclass of 'NSManagedObject'"
    case .genericObjectClass: "'@ManagedObject' needs a class without type parameters"
    case .notReadable: "'@ReadableByKey' can only be attached to a class or a structure"
    case .actorIsolated:
      "'@ReadableByKey' reads on any thread, and this type belongs to an actor; declare the properties to read "
        + "'nonisolated'"
    case .notALiteral: "the name must be a string literal without interpolation"
    case .notAnIdentifier: "the name must be a Swift identifier"
    }
  }
}
