internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// The validation of the current value or a proposed value of one property of one object.
///
/// > Concurrency: Confined to the context's queue.
struct PropertyValidation {
  private let property: CompiledProperty
  private let object: NSManagedObject

  init(_ property: CompiledProperty, of object: NSManagedObject) {
    self.property = property
    self.object = object
  }

  // MARK: The current value

  /// Checks the current value against the model. Members and values that cannot have become invalid
  /// are not read.
  func checkCurrentValue() throws {
    if let relationship = property.relationship, relationship.isToMany {
      guard hasOwnMembers else { return }
      try check(object.members(property.ordinal).count, relationship)
    } else if object.isUnread, object.edits[property.ordinal] == nil {
      return
    } else if property.attribute?.type != .composite, !property.isOptional, isMissing, isRequired {
      throw missing()
    }
    guard !property.validations.isEmpty else { return }
    try checkConditions(on: currentValue)
  }

  /// Validates the current value with the object's validator. If the validator replaces the value,
  /// the method stores the new value.
  func validateCurrentValue() throws {
    if property.attribute?.derivation != nil { return }
    if property.relationship?.isToMany == true, !hasOwnMembers { return }
    let current = currentValue as AnyObject?
    var value = current
    try object.validateValue(&value, forKey: property.name)
    guard value !== current, !isCurrent(value) else { return }
    try object.setCheckedValue(value, forKey: property.name)
  }

  /// Whether the members of a to-many relationship can differ from the members validated at the
  /// last save.
  private var hasOwnMembers: Bool {
    object.registration == .inserted || object.extras?.members(property.ordinal)?.isEdited == true
  }

  /// The value to validate. The class may compute the value of a transient attribute.
  private var currentValue: Any? {
    property.isTransientAttribute
      ? object.value(forKey: property.name) : object.readValue(forKey: property.name)
  }

  private var isMissing: Bool {
    if property.isTransientAttribute { return currentValue == nil }
    if let edit = object.edits[property.ordinal] { return edit.isNull }
    guard let slot = property.slot else { return false }
    object.realizeIfNeeded()
    return object.row.isNull(slot)
  }

  /// Whether a property that is not optional must have a value. An element of an optional composite
  /// attribute must have one if another element of the composite attribute has a value.
  private var isRequired: Bool {
    guard let group = object.compiledEntity.optionalGroup(of: property) else { return true }
    return group.contains {
      $0.ordinal != property.ordinal && !PropertyValidation($0, of: object).isMissing
    }
  }

  /// Returns whether a value is already the property's value.
  private func isCurrent(_ value: AnyObject?) -> Bool {
    if let attribute = property.attribute, property.hasPlainValues {
      return AttributeConversion.value(value, as: attribute.type) == object.packedValue(property)
    }
    let current = object.readValue(forKey: property.name) as AnyObject?
    guard let value, let current = current as? NSObject else { return value === current }
    return current.isEqual(value)
  }

  // MARK: A given value

  /// Converts a value to the property's type and checks it against the model.
  func check(_ value: UnsafeMutablePointer<AnyObject?>) throws {
    try bringToType(value)
    if let relationship = property.relationship, relationship.isToMany {
      try check(PropertyAssignment.objects(in: value.pointee)?.count ?? 0, relationship)
    } else if value.pointee == nil, !property.isOptional, property.isSetByPrograms, isRequired {
      throw missing()
    }
    try checkConditions(on: value.pointee)
  }

  /// Replaces a value by an equal value of the property's type, for example a Boolean by a number.
  ///
  /// - Throws: `CocoaError` with a validation code if the value does not fit the property.
  private func bringToType(_ value: UnsafeMutablePointer<AnyObject?>) throws {
    if value.pointee is NSNull { value.pointee = nil }
    guard let given = value.pointee else { return }
    switch property.kind {
    case .relationship(let relationship):
      let isFit =
        relationship.isToMany
        ? PropertyAssignment.objects(in: given) != nil : given is NSManagedObject
      if !isFit { throw unfit(given) }
    case .attribute(let attribute):
      guard property.hasPlainValues else { return }
      guard let fitting = AttributeConversion.value(given, as: attribute.type) else {
        throw unfit(given)
      }
      if let failure = UnfitValue(fitting, for: property, of: object.compiledEntity) {
        throw failure.error(for: object)
      }
      if fitting != Value(any: given) { value.pointee = fitting.anyValue as AnyObject? }
    }
  }

  // MARK: Against the model

  /// Checks a value against the model's validation predicates, and throws an error that reports all
  /// predicates that are false.
  private func checkConditions(on value: Any?) throws {
    guard let value else { return }
    let failures = property.validations.filter { !$0.accepts(value) }.map { validation in
      failure(
        validation.code,
        validation.warning.map { "\(title): \(texts["ErrorString/\($0)"] ?? $0)" }
          ?? "\(title) \(Self.complaint(validation.code))",
        value: value, predicate: validation.predicate)
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

  /// Checks the number of members of a to-many relationship. An optional relationship may be empty.
  private func check(_ count: Int, _ relationship: CompiledRelationship) throws {
    if count < relationship.minCount, !(property.isOptional && count == 0) {
      throw failure(
        NSValidationRelationshipLacksMinimumCountError, "\(title) has too few objects.",
        value: count)
    }
    if relationship.maxCount > 0, count > relationship.maxCount {
      throw failure(
        NSValidationRelationshipExceedsMaximumCountError, "\(title) has too many objects.",
        value: count)
    }
  }

  // MARK: Errors

  /// The localized texts of the model, by the keys of Apple's localization dictionary.
  private var texts: [String: String] {
    object.compiledEntity.entityDescription.managedObjectModel.localizationDictionary ?? [:]
  }

  /// The property's name in texts for users.
  private var title: String {
    let key = "Property/\(property.name)"
    return texts["\(key)/Entity/\(object.compiledEntity.name)"] ?? texts[key] ?? property.name
  }

  /// Returns the error for a deletion that the relationship denies; nil if the relationship allows
  /// the deletion.
  func denial() -> CocoaError? {
    guard let relationship = property.relationship, relationship.deleteRule == .deny else {
      return nil
    }
    let destinations =
      relationship.isToMany
      ? object.members(property.ordinal)
      : object.destination(property.ordinal).map { [$0] } ?? []
    guard destinations.contains(where: { $0.registration != .deleted }) else { return nil }
    return failure(
      NSValidationRelationshipDeniedDeleteError,
      "Items cannot be deleted from \(title).",
      value: object.readValue(forKey: property.name))
  }

  /// Returns the error for a required property without a value.
  func missing() -> CocoaError {
    failure(
      NSValidationMissingMandatoryPropertyError, "\(title) is a required value.",
      value: nil)
  }

  private func unfit(_ value: AnyObject) -> CocoaError {
    failure(
      NSManagedObjectValidationError,
      "\(title) cannot have a value of the type \(type(of: value)).", value: value)
  }

  /// Returns an error with one of Apple's validation codes.
  func failure(
    _ code: Int, _ message: String, value: Any?, predicate: NSPredicate? = nil
  ) -> CocoaError {
    .validation(
      code, message, object: object, key: property.name, value: value, predicate: predicate)
  }
}

extension CompiledProperty {
  fileprivate var isTransientAttribute: Bool { isTransient && attribute != nil }

  /// Whether the program sets the value. Derived and composite values are not set, and transient
  /// relationships lose their destinations in a save.
  fileprivate var isSetByPrograms: Bool {
    guard let attribute else { return !isTransient }
    return attribute.derivation == nil && attribute.type != .composite
  }

  /// Whether the model specifies the type of the values, and the values are stored without
  /// conversion.
  fileprivate var hasPlainValues: Bool {
    guard let attribute, !isTransient else { return false }
    return attribute.type != .transformable && attribute.type != .composite
      && attribute.type != .undefined
  }
}

extension CompiledEntity {
  /// Returns the properties whose values the model restricts. Validation skips all other
  /// properties.
  func makeCheckedProperties() -> [CompiledProperty] {
    properties.filter { property in
      if !property.validations.isEmpty { return property.attribute?.derivation == nil }
      switch property.kind {
      case .attribute(let attribute):
        return attribute.type != .composite && attribute.derivation == nil && !property.isOptional
      case .relationship(let relationship):
        return relationship.isToMany
          ? relationship.minCount > 0 || relationship.maxCount > 0 : !property.isOptional
      }
    }
  }
}
