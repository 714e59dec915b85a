internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// A pointer to a value that a validator may replace, for source compatibility with Apple
/// platforms.
public typealias AutoreleasingUnsafeMutablePointer<Pointee> = UnsafeMutablePointer<Pointee>

/// The validation of one object, for a save or on request.
///
/// All failures are reported, not only the first one.
///
/// > Concurrency: Confined to the context's queue.
struct ObjectValidation {
  private let object: NSManagedObject

  init(_ object: NSManagedObject) { self.object = object }

  /// Checks all properties against the model and with the class's own validators, if it has any.
  func checkProperties() throws {
    let checksMore = type(of: object).__validatesMore
    if !checksMore, hasAllRequiredValues { return }
    var failures: [any Error] = []
    let properties =
      checksMore
      ? object.compiledEntity.properties
      : DefaultRows.checkedProperties(of: object.compiledEntity)
    for property in properties {
      let validation = PropertyValidation(property, of: object)
      do {
        try checksMore && !property.isElement
          ? validation.validateCurrentValue() : validation.checkCurrentValue()
      } catch {
        failures += CocoaError.details(of: error)
      }
    }
    if let error = CocoaError.combining(failures) { throw error }
  }

  /// Whether all required values exist; false if the model has further conditions.
  private var hasAllRequiredValues: Bool {
    let isUnread = object.isUnread
    return borrowing(object.compiledEntity) { entity in
      DefaultRows.withRequiredValues(of: entity) { required in
        guard let required else { return false }
        return required.allSatisfy { value in
          if let edit = object.edits[value.ordinal] { return !edit.isNull }
          return isUnread || !object.view.isNull(value.slot)
        }
      }
    }
  }

  /// Checks the deny rules of relationships.
  func checkDenyRules() throws {
    let failures = object.compiledEntity.properties.compactMap { property in
      PropertyValidation(property, of: object).denial()
    }
    if let error = CocoaError.combining(failures) { throw error }
  }

  /// Checks a value for a property. A validator may replace the value.
  func check(_ value: UnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
    if let ordinal = object.compiledEntity.ordinal(of: key) {
      let property = object.compiledEntity.properties[ordinal]
      try PropertyValidation(property, of: object).check(value)
    }
    guard type(of: object).__validatesMore else { return }
    guard let context = object.context else { return try object.__validate(value, forKey: key) }
    try context.validatorNesting.begin()
    defer { context.validatorNesting.end() }
    try object.__validate(value, forKey: key)
  }

  /// Archives the unsaved values of transformable attributes. Runs code of the application.
  ///
  /// - Throws: `CocoaError` with code 1550 for a value that could not be read back, or 1560 for
  ///   several values.
  func archiveValues(_ save: SaveNumber) throws {
    let entity = object.compiledEntity
    var failures: [any Error] = []
    object.edits.forEach { ordinal, edit in
      let property = entity.properties[ordinal]
      guard case .boxed(let box) = edit, property.slot != nil else { return }
      do throws(ModelError) { try box.archive(for: property, in: save) } catch {
        failures.append(
          PropertyValidation(property, of: object).failure(
            NSManagedObjectValidationError,
            "\(entity.name).\(property.name) cannot be archived: \(error.message)",
            value: box.value))
      }
    }
    if let error = CocoaError.combining(failures) { throw error }
  }

  /// Returns an error for each unsaved value that its attribute cannot have.
  func unfitValues() -> [CocoaError] {
    let entity = object.compiledEntity
    var failures: [CocoaError] = []
    object.edits.forEach { ordinal, edit in
      guard case .value(let value) = edit,
        let failure = UnfitValue(value, for: entity.properties[ordinal], of: entity)
      else { return }
      failures.append(failure.error(for: object))
    }
    return failures
  }
}

extension NSManagedObject {
  /// Validates the object for insertion, update or deletion, whichever the save will perform.
  final func validateForSave() throws {
    switch registration {
    case .inserted: try validateForInsert()
    case .persistent: if isMarkedUpdated { try validateForUpdate() }
    case .deleted: if deletion != .withdrawal { try validateForDelete() }
    case .detached: return
    }
  }
}

extension NSManagedObject {
  /// Whether the object is a fault that changed only through inverse relationships. Its row is
  /// still as it was validated, and the save does not write it.
  var isUnread: Bool { registration == .persistent && !contents.hasValues }
}
