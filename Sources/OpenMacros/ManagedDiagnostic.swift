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
  case validatorPointee
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
    case .useManagedAccessor:
      "'@Managed' can only be attached to a property; use '@ManagedAccessor' for a method"
    case .constant: "'@Managed' requires a 'var', because the context changes the value"
    case .severalVariables: "'@Managed' requires a separate declaration for each property"
    case .pattern: "'@Managed' requires a property with a simple name"
    case .missingType: "'@Managed' requires a property with an explicit type"
    case .initialValue:
      "a managed property cannot have an initial value; set a default in the model"
    case .accessors: "a managed property cannot have accessors or observers"
    case .staticMember: "'@Managed' cannot be attached to a static member"
    case .genericClass: "a managed property cannot be declared in a generic class"
    case .notInClass: "'@Managed' can only be used in a class or an extension of a class"
    case .notAFunction: "'@ManagedAccessor' can only be attached to a method"
    case .functionBody: "'@ManagedAccessor' generates the body of the method; remove this body"
    case .functionSignature:
      "'@ManagedAccessor' requires an instance method without generic parameters, effects or a result"
    case .functionName:
      """
      '@ManagedAccessor' requires the method name 'addTo…(_:)', 'removeFrom…(_:)', 'insertInto…(_:at:)', \
      'removeFrom…(at:)' or 'replace…(at:with:)'
      """
    case .unnamedParameter: "'@ManagedAccessor' requires a name for each parameter"
    case .notAClass: "'@ManagedObject' can only be attached to a class"
    case .noSuperclass: "'@ManagedObject' requires a subclass of 'NSManagedObject'"
    case .genericObjectClass: "'@ManagedObject' cannot be attached to a generic class"
    case .validatorPointee:
      """
      a validation method requires a parameter of the type 'AutoreleasingUnsafeMutablePointer<AnyObject?>'; cast its \
      'pointee' in the method
      """
    case .notReadable: "'@ReadableByKey' can only be attached to a class or a structure"
    case .actorIsolated:
      "'@ReadableByKey' reads properties on any thread, but this type is isolated to an actor; declare the properties "
        + "to be read as 'nonisolated'"
    case .notALiteral: "the name must be a string literal without interpolation"
    case .notAnIdentifier: "the name must be a Swift identifier"
    }
  }
}
