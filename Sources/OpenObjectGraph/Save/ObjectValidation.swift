internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// A pointer to a value that a validator may replace.
///
/// The alias exists for source compatibility with Apple platforms.
public typealias AutoreleasingUnsafeMutablePointer<Pointee> = UnsafeMutablePointer<Pointee>

/// The validation of one object, during a save or when the application calls a validation method.
///
/// The validation reports all failures, not only the first.
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

  /// Whether all required values exist. The value is false if the entity has other conditions that
  /// must be checked.
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

  /// Checks that no relationship with the deny rule prevents the deletion of the object.
  func checkDenyRules() throws {
    let failures = object.compiledEntity.properties.compactMap { property in
      PropertyValidation(property, of: object).denial()
    }
    if let error = CocoaError.combining(failures) { throw error }
  }

  /// Checks a proposed value of a property. A validator may replace the value.
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

  /// Archives the unsaved values of transformable attributes. Archiving runs code of the
  /// application.
  ///
  /// - Throws: `CocoaError` with code 1550 for one value that cannot be archived, or 1560 for
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
            "The value of \(entity.name).\(property.name) cannot be archived: \(error.message)",
            value: box.value))
      }
    }
    if let error = CocoaError.combining(failures) { throw error }
  }

  /// Returns an error for each unsaved value that does not fit its attribute.
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
  /// Validates the object for the operation that the save will perform: an insertion, an update or
  /// a deletion.
  ///
  /// The save writes nothing for an object whose row another context or process has deleted.
  final func validateForSave() throws {
    switch registration {
    case .inserted: try validateForInsert()
    case .persistent: if isMarkedUpdated { try validateForUpdate() }
    case .deleted: if deletion == .own { try validateForDelete() }
    case .detached: return
    }
  }

  /// Whether the object is saved, but its values have not been read. Such an object can have
  /// changed only through inverse relationships, and its stored values need no validation.
  var isUnread: Bool { registration == .persistent && !contents.hasValues }
}
