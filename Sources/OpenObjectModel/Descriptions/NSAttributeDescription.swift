internal import Foundation
internal import OpenPredicates

/// The type of an attribute, as an enumeration.
///
/// Swift code normally uses ``NSAttributeDescription/AttributeType`` instead.
///
/// > Reference: Apple, NSAttributeType.
public enum NSAttributeType: UInt, Sendable {
  /// No type, which only a transient attribute may have.
  case undefinedAttributeType = 0
  /// A signed 16-bit integer.
  case integer16AttributeType = 100
  /// A signed 32-bit integer.
  case integer32AttributeType = 200
  /// A signed 64-bit integer.
  case integer64AttributeType = 300
  /// A decimal number of up to 38 digits.
  case decimalAttributeType = 400
  /// A 64-bit floating-point number.
  case doubleAttributeType = 500
  /// A 32-bit floating-point number.
  case floatAttributeType = 600
  /// A string.
  case stringAttributeType = 700
  /// A Boolean value.
  case booleanAttributeType = 800
  /// A date and time.
  case dateAttributeType = 900
  /// Binary data.
  case binaryDataAttributeType = 1000
  /// A UUID.
  case UUIDAttributeType = 1100
  /// A URL.
  case URIAttributeType = 1200
  /// A value stored as data that a value transformer or the library's archiver creates.
  case transformableAttributeType = 1800
  /// An object id, which only a transient attribute may contain.
  case objectIDAttributeType = 2000
  /// A composite attribute, which consists of other attributes.
  case compositeAttributeType = 2100
}

/// A description of an attribute of an entity.
///
/// > Concurrency: Confined to one thread until the model is used; afterward, any thread may read
/// > the description.
/// > Reference: Apple, NSAttributeDescription.
open class NSAttributeDescription: NSPropertyDescription {
  /// The type of an attribute, such as `.string` or `.integer64`.
  public struct AttributeType: RawRepresentable, Hashable, Sendable {
    /// The number of the type, which equals the raw value of the `NSAttributeType`.
    public let rawValue: UInt

    /// Creates a type from its number.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// No type, which only a transient attribute may have.
    public static let undefined = AttributeType(rawValue: 0)
    /// A signed 16-bit integer.
    public static let integer16 = AttributeType(rawValue: 100)
    /// A signed 32-bit integer.
    public static let integer32 = AttributeType(rawValue: 200)
    /// A signed 64-bit integer.
    public static let integer64 = AttributeType(rawValue: 300)
    /// A decimal number of up to 38 digits.
    public static let decimal = AttributeType(rawValue: 400)
    /// A 64-bit floating-point number.
    public static let double = AttributeType(rawValue: 500)
    /// A 32-bit floating-point number.
    public static let float = AttributeType(rawValue: 600)
    /// A string.
    public static let string = AttributeType(rawValue: 700)
    /// A Boolean value.
    public static let boolean = AttributeType(rawValue: 800)
    /// A date and time.
    public static let date = AttributeType(rawValue: 900)
    /// Binary data.
    public static let binaryData = AttributeType(rawValue: 1000)
    /// A UUID.
    public static let uuid = AttributeType(rawValue: 1100)
    /// A URL.
    public static let uri = AttributeType(rawValue: 1200)
    /// A value stored as data that a value transformer or the library's archiver creates.
    public static let transformable = AttributeType(rawValue: 1800)
    /// An object id, which only a transient attribute may contain.
    public static let objectID = AttributeType(rawValue: 2000)
    /// A composite attribute, which consists of other attributes.
    public static let composite = AttributeType(rawValue: 2100)
  }

  private var className: String?
  private var storedDefault: Any?
  /// The type of the attribute's values; `.undefined` by default.
  ///
  /// ``NSManagedObjectModel/compiled()`` throws `ModelError` with code `.undefinedType` if a stored
  /// attribute has no type.
  open var type: AttributeType = .undefined { didSet { checkMutable() } }
  /// The value of the attribute in new objects; nil for no default value.
  ///
  /// All new objects share the same instance of the value. A number or Boolean value becomes an
  /// `NSNumber`, which you can cast to any numeric type. ``NSManagedObjectModel/compiled()`` throws
  /// `ModelError` with code `.mismatchedDefault` if the value does not have the attribute's type or
  /// is out of range.
  open var defaultValue: Any? {
    get { storedDefault }
    set {
      checkMutable()
      storedDefault = Self.boxed(newValue)
      looseDefaultText = nil
    }
  }
  /// The text of the default value in a document, if the text does not have the usual form for the
  /// type.
  var looseDefaultText: String?
  /// The name of the value transformer of a transformable attribute; nil to use the library's
  /// archiver.
  ///
  /// If no transformer is registered under the name, the library's archiver is used.
  ///
  /// Register transformers with ``ValueTransformer/setValueTransformer(_:forName:)``.
  ///
  /// > Reference: Apple, valueTransformerName. Differs: D-028.
  open var valueTransformerName: String? { didSet { checkMutable() } }
  /// Whether a store may save large binary values in separate files; false by default.
  open var allowsExternalBinaryDataStorage = false { didSet { checkMutable() } }
  /// Whether persistent history preserves the attribute's value when an object is deleted; false by
  /// default.
  open var preservesValueInHistoryOnDeletion = false { didSet { checkMutable() } }

  /// Whether CloudKit encrypts the values; false by default. The flag has no effect in this
  /// library.
  ///
  /// Model files preserve the flag for other tools.
  open var allowsCloudEncryption = false { didSet { checkMutable() } }

  /// The type of the attribute's values, as an `NSAttributeType`; equivalent to ``type``.
  open var attributeType: NSAttributeType {
    get { NSAttributeType(rawValue: type.rawValue) ?? .undefinedAttributeType }
    set { type = AttributeType(rawValue: newValue.rawValue) }
  }

  /// The name of the class of the attribute's values; by default, the Foundation class for
  /// ``type``, or nil if the type has no such class.
  open var attributeValueClassName: String? {
    get { className ?? Self.classNames[type] }
    set {
      checkMutable()
      className = newValue
    }
  }
  var ownClassName: String? { className }

  private static let classNames: [AttributeType: String] = [
    .integer16: "NSNumber", .integer32: "NSNumber", .integer64: "NSNumber", .double: "NSNumber",
    .float: "NSNumber", .boolean: "NSNumber", .decimal: "NSDecimalNumber", .string: "NSString",
    .date: "NSDate", .binaryData: "NSData", .uuid: "NSUUID", .uri: "NSURL",
  ]

  /// Returns a number or Boolean value of a Swift type as an `NSNumber`, and any other value
  /// unchanged.
  private static func boxed(_ given: Any?) -> Any? {
    guard let given, !(Swift.type(of: given) is AnyObject.Type) else { return given }
    guard let value = Value(any: given) else { return given }
    switch value {
    case .bool, .int, .double: return value.anyValue
    default: return given
    }
  }

  var valueType: OpenObjectModel.AttributeType {
    OpenObjectModel.AttributeType(rawValue: type.rawValue) ?? .undefined
  }

  /// The default value converted to the attribute's type; nil if the value has an unrelated type.
  var convertedDefault: Value? {
    guard let defaultValue else { return .null }
    if valueType == .transformable { return archivedDefault(defaultValue).map { .data($0) } }
    guard let value = Value(any: defaultValue) else {
      // Objects of other classes are not values; only attributes without a type may contain them.
      return valueType == .undefined ? .null : nil
    }
    return valueType.converted(value)
  }

  /// Returns the bytes of a transformable attribute's default value; nil if the bytes could not be
  /// read back.
  ///
  /// If the attribute names a transformer that is not registered yet, the method returns nil. It
  /// does not use the library's archiver, because the transformer could not read the resulting
  /// archive.
  private func archivedDefault(_ value: Any) -> Data? {
    let type = Swift.type(of: value)
    let classes = (type as? any NSCoding.Type).map { [$0] } ?? []
    let transformer = AttributeTransformer(named: valueTransformerName)
    if case .unknown = transformer { return nil }
    // Only the existence of an archive matters here; the check of the model reports the error.
    return try? transformer.data(of: value, allowing: classes.filter { _ in namesClass(type) })
  }

  /// Returns whether the given type is the class that ``attributeValueClassName`` names; false if
  /// the name is nil.
  package func namesClass(_ type: Any.Type) -> Bool {
    guard let wanted = attributeValueClassName else { return false }
    return Self.names(wanted, type)
  }

  /// Returns whether a name in a model, with or without a module, is the name of a type.
  ///
  /// - Parameters:
  ///   - name: The name in the model.
  ///   - type: The type to compare with the name.
  package static func names(_ name: String, _ type: Any.Type) -> Bool {
    let reflected = String(reflecting: type)
    return reflected == name || reflected.hasSuffix("." + name)
  }
}
