internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

// Validation before a save: required values, counts, the model's predicates, deny rules. All failures are
// reported, not the first.

extension NSManagedObjectContext {
  func validatePendingChanges() throws {
    var failures: [any Error] = []
    func collect(_ check: () throws -> Void) {
      do { try check() } catch { failures += CocoaError.details(of: error) }
    }
    for object in unitOfWork.inserted { collect(object.validateForInsert) }
    for object in unitOfWork.updated { collect(object.validateForUpdate) }
    for object in unitOfWork.deleted { collect(object.validateForDelete) }
    if let error = CocoaError.combining(failures) { throw error }
  }
}

extension NSManagedObject {
  /// Checks all properties against the model.
  final func validateProperties() throws {
    var failures: [any Error] = []
    for property in compiledEntity.checkedProperties {
      do { try validate(property) } catch { failures += CocoaError.details(of: error) }
    }
    if let error = CocoaError.combining(failures) { throw error }
  }

  private final func validate(_ property: CompiledProperty) throws {
    switch property.kind {
    case .attribute(let attribute):
      if compiledEntity.isRequired(property), isMissing(property) { throw required(property) }
      try check(attribute.validations, property)
    case .relationship(let relationship):
      if relationship.isToMany {
        try validateCount(property, relationship)
      } else if !property.isOptional, isMissing(property) {
        throw required(property)
      }
    }
  }

  private final func isMissing(_ property: CompiledProperty) -> Bool {
    if let edit = edits?[property.ordinal] { return edit.isNull }
    guard let slot = property.slot else {
      return extras?.values[property.ordinal] == nil && !property.isTransient
    }
    realizeIfNeeded()
    return row.isNull(slot)
  }

  private final func check(_ validations: [CompiledValidation], _ property: CompiledProperty) throws
  {
    guard !validations.isEmpty, let value = readValue(forKey: property.name) else { return }
    for validation in validations where !validation.accepts(value) {
      throw CocoaError.validation(
        validation.code, "\(property.name): \(validation.warning)", object: self,
        key: property.name, value: value)
    }
  }

  private final func validateCount(
    _ property: CompiledProperty, _ relationship: CompiledRelationship
  ) throws {
    guard relationship.minCount > 0 || relationship.maxCount > 0,
      extras?.members(property.ordinal)?.isEdited == true || registration == .inserted
    else { return }
    let count = members(property.ordinal).count
    if count < relationship.minCount, !(property.isOptional && count == 0) {
      throw CocoaError.validation(
        1580, "\(property.name) has too few objects.", object: self, key: property.name,
        value: count)
    }
    if relationship.maxCount > 0, count > relationship.maxCount {
      throw CocoaError.validation(
        1590, "\(property.name) has too many objects.", object: self, key: property.name,
        value: count)
    }
  }

  private final func required(_ property: CompiledProperty) -> CocoaError {
    CocoaError.validation(
      1570, "\(property.name) is a required value.", object: self, key: property.name, value: nil)
  }

  /// Checks deny rules.
  final func validateDeletion() throws {
    for property in compiledEntity.properties {
      guard let relationship = property.relationship, relationship.deleteRule == .deny else {
        continue
      }
      let destinations =
        relationship.isToMany
        ? members(property.ordinal)
        : destination(property.ordinal).map { [$0] } ?? []
      if destinations.contains(where: { $0.registration != .deleted }) {
        throw CocoaError.validation(
          1600, "Items cannot be deleted from \(property.name).", object: self,
          key: property.name, value: nil)
      }
    }
  }
}

extension CompiledEntity {
  /// Properties that can fail a check, so that the others cost nothing.
  var checkedProperties: [CompiledProperty] {
    properties.filter { property in
      switch property.kind {
      case .attribute(let attribute):
        attribute.type != .composite && attribute.derivation == nil
          && (isRequired(property) || !attribute.validations.isEmpty)
      case .relationship(let relationship):
        relationship.isToMany
          ? relationship.minCount > 0 || relationship.maxCount > 0 : !property.isOptional
      }
    }
  }

  /// Whether an attribute must have a value: elements only where their composite attribute must.
  func isRequired(_ property: CompiledProperty) -> Bool {
    guard !property.isOptional else { return false }
    guard property.isElement, let composite = composite(of: property) else { return true }
    return !composite.isOptional
  }

  /// The composite attribute that an element belongs to.
  func composite(of element: CompiledProperty) -> CompiledProperty? {
    let name = element.name.prefix { $0 != "." }
    return ordinal(of: String(name)).map { properties[$0] }
  }
}
