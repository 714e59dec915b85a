public import Foundation

// What errors of validation and saving know, and the codes of single rules.

/// A date that is no date.
public let NSValidationInvalidDateError = 1650
/// A URI that cannot be read.
public let NSValidationInvalidURIError = 1690

extension CocoaError.Code {
  /// A number above its limit.
  public static let validationNumberTooLarge = CocoaError.Code(rawValue: 1610)
  /// A number below its limit.
  public static let validationNumberTooSmall = CocoaError.Code(rawValue: 1620)
  /// A date behind its limit.
  public static let validationDateTooLate = CocoaError.Code(rawValue: 1630)
  /// A date before its limit.
  public static let validationDateTooSoon = CocoaError.Code(rawValue: 1640)
  /// A date that is no date.
  public static let validationInvalidDate = CocoaError.Code(rawValue: 1650)
  /// A text with too many characters.
  public static let validationStringTooLong = CocoaError.Code(rawValue: 1660)
  /// A text with too few characters.
  public static let validationStringTooShort = CocoaError.Code(rawValue: 1670)
  /// A text that does not match its pattern.
  public static let validationStringPatternMatching = CocoaError.Code(rawValue: 1680)
}

extension CocoaError {
  /// The object that failed validation.
  ///
  /// > Reference: Apple, validationObject.
  public var validationObject: Any? { userInfo[NSValidationObjectErrorKey] }
  /// The name of the property that failed validation.
  ///
  /// > Reference: Apple, validationKey.
  public var validationKey: String? { userInfo[NSValidationKeyErrorKey] as? String }
  /// The predicate of the model that a value does not satisfy.
  ///
  /// > Reference: Apple, validationPredicate.
  public var validationPredicate: NSPredicate? {
    userInfo[NSValidationPredicateErrorKey] as? NSPredicate
  }
  /// The value that failed validation; nil where it is missing.
  ///
  /// > Reference: Apple, validationValue.
  public var validationValue: Any? { userInfo[NSValidationValueErrorKey] }
  /// The conflicts of a save.
  ///
  /// > Reference: Apple, persistentStoreSaveConflicts.
  public var persistentStoreSaveConflicts: [NSMergeConflict]? {
    userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
  }
}
