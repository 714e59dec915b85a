internal import Foundation

/// Reads values from keyed archives, and writes them, if they are of classes that the transformer allows.
///
/// It turns `Data` into a value in `transformedValue(_:)`, and a value into `Data` in `reverseTransformedValue(_:)`.
/// Data never decides which classes are instantiated: an archive with an object of any other class reads as nil.
///
/// ```swift
/// final class CoverTransformer: NSSecureUnarchiveFromDataTransformer {
///   override class var allowedTopLevelClasses: [AnyClass] { [Cover.self] }
/// }
/// ```
///
/// > Reference: Apple, NSSecureUnarchiveFromDataTransformer. Differs: D-222.
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
  /// The allowed classes of a value; it may also contain objects of these classes.
  ///
  /// The class returned by `transformedValueClass()`, if a subclass overrides it; otherwise Foundation's collections,
  /// strings, numbers, dates, data, URLs, UUIDs and `NSNull`.
  ///
  /// > Reference: Apple, allowedTopLevelClasses.
  open class var allowedTopLevelClasses: [AnyClass] {
    let type: AnyClass = transformedValueClass()
    if type != NSObject.self { return [type] }
    return [
      NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self,
      NSData.self, NSURL.self, NSUUID.self, NSNull.self,
    ]
  }

  open override func transformedValue(_ value: Any?) -> Any? {
    // The protocol of transformers knows no errors, only nil; `decode` says why.
    (value as? Data).flatMap { try? Self.decode($0) }
  }

  open override func reverseTransformedValue(_ value: Any?) -> Any? {
    value.flatMap { try? Self.encode($0) }  // As above.
  }

  /// The value in an archive.
  ///
  /// - Throws: `ModelError` for damaged data and for objects of classes that are not allowed.
  static func decode(_ data: Data) throws(ModelError) -> Any? {
    let value = try ValueArchive.value(in: data, allowing: codableClasses)
    if let value { try check(value) }
    return value
  }

  /// The archive of a value.
  ///
  /// - Throws: `ModelError` for a value that is not allowed, or that could not be read back.
  static func encode(_ value: Any) throws(ModelError) -> Data {
    let data = try ValueArchive.data(of: value, allowing: codableClasses)
    // An archive could be made, so that bridging the value for the check is not too deep.
    try check(value)
    return data
  }

  private static var codableClasses: [any NSCoding.Type] {
    allowedTopLevelClasses.compactMap { $0 as? any NSCoding.Type }
  }

  private static func check(_ value: Any) throws(ModelError) {
    let object = value as AnyObject
    let classes = allowedTopLevelClasses
    let isAllowed = classes.contains { type in
      type == Swift.type(of: object) || (object as? NSObject)?.isKind(of: type) == true
    }
    if isAllowed { return }
    let names = classes.map { "\($0)" }.joined(separator: ", ")
    throw .unarchivableValue(
      "A value of type \(Swift.type(of: value)) is not among the allowed top-level classes of \(self): \(names). "
        + "Override allowedTopLevelClasses in a subclass of NSSecureUnarchiveFromDataTransformer.")
  }
}
