internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

// Validation of objects before a save. All failures are reported, not the first.

/// How deep validators call one another; confined to the context's queue.
struct ValidatorNesting {
  private var depth = 0
  private static let limit = 64

  /// Notes that a validator begins.
  ///
  /// - Throws: `CocoaError` 134060 when validators called one another too often.
  mutating func begin() throws {
    guard depth < Self.limit else {
      throw CocoaError.make(
        .coreData, "Validators called one another \(Self.limit) times; the validation was given up."
      )
    }
    depth += 1
  }

  mutating func end() { depth -= 1 }
}

extension NSManagedObject {
  /// Validates the object for what a save is going to do with it.
  final func validateForSave() throws {
    switch registration {
    case .inserted: try validateForInsert()
    case .persistent: if isUpdated { try validateForUpdate() }
    case .deleted: if deletion != .withdrawal { try validateForDelete() }
    case .detached: return
    }
  }

  /// Checks all properties: against the model, and by the class's own validators if it has any.
  final func validateProperties() throws {
    let checksMore = type(of: self).__validatesMore
    if !checksMore, !borrowing(compiledEntity, DefaultRows.hasCheckedProperties) { return }
    var failures: [any Error] = []
    let properties =
      checksMore
      ? compiledEntity.properties : DefaultRows.checkedProperties(of: compiledEntity)
    for property in properties {
      do {
        try checksMore && !property.isElement ? validateCurrentValue(property) : check(property)
      } catch {
        failures += CocoaError.details(of: error)
      }
    }
    if let error = CocoaError.combining(failures) { throw error }
  }

  /// Checks a property's current value against the model, reading as little as possible.
  private final func check(_ property: CompiledProperty) throws {
    switch property.kind {
    case .attribute(let attribute):
      if attribute.type != .composite, compiledEntity.isRequired(property), isMissing(property) {
        throw required(property)
      }
    case .relationship(let relationship):
      if relationship.isToMany {
        guard hasOwnMembers(property) else { return }
        try checkCount(members(property.ordinal).count, property, relationship)
      } else if !property.isOptional, isMissing(property) {
        throw required(property)
      }
    }
    guard !property.validations.isEmpty else { return }
    try checkConditions(on: readValue(forKey: property.name), property)
  }

  /// Whether the members of a to-many relationship can differ from those that were validated when they were saved.
  final func hasOwnMembers(_ property: CompiledProperty) -> Bool {
    registration == .inserted || extras?.members(property.ordinal)?.isEdited == true
  }

  private final func isMissing(_ property: CompiledProperty) -> Bool {
    if let edit = edits[property.ordinal] { return edit.isNull }
    guard let slot = property.slot else {
      return extras?.values[property.ordinal] == nil && !property.isTransient
    }
    realizeIfNeeded()
    return row.isNull(slot)
  }

  /// Checks the model's predicates; all that fail are reported.
  final func checkConditions(on value: Any?, _ property: CompiledProperty) throws {
    guard let value else { return }
    let failures = property.validations.filter { !$0.accepts(value) }.map { validation in
      CocoaError.validation(
        validation.code,
        validation.warning.map { "\(property.name): \($0)" }
          ?? "\(property.name) \(Self.complaint(validation.code))",
        object: self, key: property.name, value: value, predicate: validation.predicate)
    }
    if let error = CocoaError.combining(failures) { throw error }
  }

  private static func complaint(_ code: Int) -> String {
    switch code {
    case NSValidationNumberTooLargeError: "is too large."
    case NSValidationNumberTooSmallError: "is too small."
    case NSValidationDateTooLateError: "is too late."
    case NSValidationDateTooSoonError: "is too soon."
    case NSValidationStringTooLongError: "is too long."
    case NSValidationStringTooShortError: "is too short."
    case NSValidationStringPatternMatchingError: "does not match its pattern."
    default: "is not valid."
    }
  }

  /// Checks how many members a to-many relationship has; an optional one may have none.
  final func checkCount(
    _ count: Int, _ property: CompiledProperty, _ relationship: CompiledRelationship
  ) throws {
    if count < relationship.minCount, !(property.isOptional && count == 0) {
      throw CocoaError.validation(
        NSValidationRelationshipLacksMinimumCountError, "\(property.name) has too few objects.",
        object: self, key: property.name, value: count)
    }
    if relationship.maxCount > 0, count > relationship.maxCount {
      throw CocoaError.validation(
        NSValidationRelationshipExceedsMaximumCountError, "\(property.name) has too many objects.",
        object: self, key: property.name, value: count)
    }
  }

  final func required(_ property: CompiledProperty) -> CocoaError {
    CocoaError.validation(
      NSValidationMissingMandatoryPropertyError, "\(property.name) is a required value.",
      object: self, key: property.name, value: nil)
  }

  /// Checks deny rules; all that deny the deletion are reported.
  final func validateDeletion() throws {
    var failures: [any Error] = []
    for property in compiledEntity.properties {
      guard let relationship = property.relationship, relationship.deleteRule == .deny else {
        continue
      }
      let destinations =
        relationship.isToMany
        ? members(property.ordinal)
        : destination(property.ordinal).map { [$0] } ?? []
      guard destinations.contains(where: { $0.registration != .deleted }) else { continue }
      failures.append(
        CocoaError.validation(
          NSValidationRelationshipDeniedDeleteError,
          "Items cannot be deleted from \(property.name).", object: self, key: property.name,
          value: readValue(forKey: property.name)))
    }
    if let error = CocoaError.combining(failures) { throw error }
  }
}

extension CompiledEntity {
  /// Properties that can fail a check against the model, so that the others cost nothing.
  func makeCheckedProperties() -> [CompiledProperty] {
    properties.filter { property in
      if !property.validations.isEmpty { return property.attribute?.derivation == nil }
      switch property.kind {
      case .attribute(let attribute):
        return attribute.type != .composite && attribute.derivation == nil && isRequired(property)
      case .relationship(let relationship):
        return relationship.isToMany
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
