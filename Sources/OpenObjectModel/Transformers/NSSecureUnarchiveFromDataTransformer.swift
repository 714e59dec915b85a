internal import Foundation

/// A transformer that reads and writes keyed archives of values whose classes are allowed.
///
/// `transformedValue(_:)` converts `Data` to a value, and `reverseTransformedValue(_:)` converts a
/// value to `Data`. An archive never determines which classes are instantiated: if an archive
/// contains an object whose class is not allowed, `transformedValue(_:)` returns nil.
///
/// ```swift
/// final class CoverTransformer: NSSecureUnarchiveFromDataTransformer {
///   override class var allowedTopLevelClasses: [AnyClass] { [Cover.self] }
/// }
/// ```
///
/// > Reference: Apple, NSSecureUnarchiveFromDataTransformer. Differs: D-222.
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
  /// The allowed classes of a value, and of the program's own objects inside the value.
  ///
  /// Inside a value, Foundation's classes for collections, strings, numbers, dates, data, URLs,
  /// UUIDs and null are always allowed. If a subclass overrides `transformedValueClass()`, the
  /// default value of this property contains only the class that `transformedValueClass()` returns.
  /// Otherwise, the default value contains the classes of Foundation that are always allowed.
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
    // Transformers report errors only as nil; `decode` throws the reason.
    (value as? Data).flatMap { try? Self.decode($0) }
  }

  open override func reverseTransformedValue(_ value: Any?) -> Any? {
    value.flatMap { try? Self.encode($0) }  // As above.
  }

  /// Returns the value in an archive.
  ///
  /// - Throws: `ModelError` for damaged data and for objects of classes that are not allowed.
  static func decode(_ data: Data) throws(ModelError) -> Any? {
    let value = try ValueArchive.value(in: data, allowing: codableClasses)
    if let value { try check(value) }
    return value
  }

  /// Returns the archive of a value.
  ///
  /// - Throws: `ModelError` for a value that is not allowed or that could not be read back.
  static func encode(_ value: Any) throws(ModelError) -> Data {
    let data = try ValueArchive.data(of: value, allowing: codableClasses)
    // The value could be archived, so it is not nested too deeply to be bridged for the check.
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
      "A value of type \(Swift.type(of: value)) does not have one of the allowed top-level classes of \(self): \(names). "
        + "Override allowedTopLevelClasses in a subclass of NSSecureUnarchiveFromDataTransformer.")
  }
}
