internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// A value that does not fit its attribute.
///
/// Packing a row stops at the first unfit value. All unfit values are then searched for, so that
/// the error names each of them.
struct UnfitValue {
  let property: CompiledProperty
  let entity: CompiledEntity
  let value: Value

  /// Checks a value. The result is nil if the value fits the attribute.
  init?(_ value: Value, for property: CompiledProperty, of entity: CompiledEntity) {
    guard let slot = property.slot, property.relationship == nil else { return nil }
    let column = entity.slots[slot]
    if column.domain.accepts(value), SlotContent(value, as: column.kind) != nil { return nil }
    self.property = property
    self.entity = entity
    self.value = value
  }

  /// Apple's error code: out of range, invalid date, or another validation code.
  var code: Int {
    switch (property.attribute?.type, value) {
    case (.date?, _): NSValidationInvalidDateError
    case (.uri?, _): NSValidationInvalidURIError
    case (_, .int(let integer)):
      integer < 0 ? NSValidationNumberTooSmallError : NSValidationNumberTooLargeError
    case (_, .double(let real)) where !real.isNaN:
      real < 0 ? NSValidationNumberTooSmallError : NSValidationNumberTooLargeError
    default: NSManagedObjectValidationError
    }
  }

  var message: String {
    let type = property.attribute.map { "\($0.type)" } ?? "value"
    return "The value of \(entity.name).\(property.name) is not a valid \(type) or is out of range."
  }

  func error(for object: NSManagedObject) -> CocoaError {
    // Foundation traps when it describes an invalid date, which happens when the error is printed.
    let isDate = if case .date = value { true } else { false }
    return .validation(
      code, message, object: object, key: property.name, value: isDate ? nil : value.anyValue)
  }

  /// The error for a value without an object.
  var error: CocoaError {
    .make(
      CocoaError.Code(rawValue: code), message, userInfo: [NSValidationKeyErrorKey: property.name])
  }

  /// Returns the error to throw for a save that could not pack or write its rows.
  ///
  /// If a value does not fit its attribute, the returned error combines the errors of all unfit
  /// values.
  static func saveError(_ error: StoreError, in context: NSManagedObjectContext) -> any Error {
    guard error.code == .unfitValue else { return CocoaError.unwritten(error) }
    let objects = context.unitOfWork.inserted + context.unitOfWork.updated
    let failures = objects.flatMap { ObjectValidation($0).unfitValues() }
    return CocoaError.combining(failures) ?? CocoaError.make(error)
  }
}
