internal import Foundation
internal import OpenPredicates

/// The older spelling of the type of an attribute.
///
/// > Reference: Apple, NSAttributeType.
public enum NSAttributeType: UInt, Sendable {
  case undefinedAttributeType = 0
  case integer16AttributeType = 100
  case integer32AttributeType = 200
  case integer64AttributeType = 300
  case decimalAttributeType = 400
  case doubleAttributeType = 500
  case floatAttributeType = 600
  case stringAttributeType = 700
  case booleanAttributeType = 800
  case dateAttributeType = 900
  case binaryDataAttributeType = 1000
  case UUIDAttributeType = 1100
  case URIAttributeType = 1200
  case transformableAttributeType = 1800
  case objectIDAttributeType = 2000
  case compositeAttributeType = 2100
}

/// One attribute of an entity.
///
/// > Reference: Apple, NSAttributeDescription.
open class NSAttributeDescription: NSPropertyDescription {
  /// The type of an attribute.
  public struct AttributeType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let undefined = AttributeType(rawValue: 0)
    public static let integer16 = AttributeType(rawValue: 100)
    public static let integer32 = AttributeType(rawValue: 200)
    public static let integer64 = AttributeType(rawValue: 300)
    public static let decimal = AttributeType(rawValue: 400)
    public static let double = AttributeType(rawValue: 500)
    public static let float = AttributeType(rawValue: 600)
    public static let string = AttributeType(rawValue: 700)
    public static let boolean = AttributeType(rawValue: 800)
    public static let date = AttributeType(rawValue: 900)
    public static let binaryData = AttributeType(rawValue: 1000)
    public static let uuid = AttributeType(rawValue: 1100)
    public static let uri = AttributeType(rawValue: 1200)
    public static let transformable = AttributeType(rawValue: 1800)
    public static let objectID = AttributeType(rawValue: 2000)
    public static let composite = AttributeType(rawValue: 2100)
  }

  private var className: String?
  /// The type of the values.
  open var type: AttributeType = .undefined { didSet { checkMutable() } }
  /// The value of new objects; shared by all of them.
  open var defaultValue: Any? {
    didSet {
      checkMutable()
      looseDefaultText = nil
    }
  }
  /// The text of a document that the default value was read from, where the text is not written as the type's values are.
  var looseDefaultText: String?
  /// The name of the transformer of a transformable attribute; nil for the library's archives.
  ///
  /// Transformers are registered with ``ValueTransformer/setValueTransformer(_:forName:)``.
  ///
  /// > Reference: Apple, valueTransformerName. Differs: D-028.
  open var valueTransformerName: String? { didSet { checkMutable() } }
  /// Whether large data may be stored in external files.
  open var allowsExternalBinaryDataStorage = false { didSet { checkMutable() } }
  /// Whether history preserves the value of a deleted object.
  open var preservesValueInHistoryOnDeletion = false { didSet { checkMutable() } }

  /// Whether values are encrypted in a cloud; kept for tools, without effect here.
  open var allowsCloudEncryption = false { didSet { checkMutable() } }

  /// The type of the values; an older spelling.
  open var attributeType: NSAttributeType {
    get { NSAttributeType(rawValue: type.rawValue) ?? .undefinedAttributeType }
    set { type = AttributeType(rawValue: newValue.rawValue) }
  }

  /// The name of the class of the values.
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

  var valueType: OpenObjectModel.AttributeType {
    OpenObjectModel.AttributeType(rawValue: type.rawValue) ?? .undefined
  }

  /// The default as a value of the attribute's type; nil when it is of another one.
  var convertedDefault: Value? {
    guard let defaultValue else { return .null }
    if valueType == .transformable { return archivedDefault(defaultValue).map { .data($0) } }
    guard let value = Value(any: defaultValue) else {
      // Objects of other classes are no values; only attributes without a type may hold them.
      return valueType == .undefined ? .null : nil
    }
    return valueType.converted(value)
  }

  /// The bytes of a transformable attribute's default; nil for one that could not be read back.
  ///
  /// A default is not archived in place of a transformer that is registered later, because the transformer could not
  /// read it.
  private func archivedDefault(_ value: Any) -> Data? {
    let type = Swift.type(of: value)
    let classes = (type as? any NSCoding.Type).map { [$0] } ?? []
    let transformer = AttributeTransformer(named: valueTransformerName)
    if case .unknown = transformer { return nil }
    // Only whether there is an archive counts; the check of the model says what to do.
    return try? transformer.data(of: value, allowing: classes.filter { _ in namesClass(type) })
  }

  /// Whether the attribute's class is a type of the program.
  package func namesClass(_ type: Any.Type) -> Bool {
    guard let wanted = attributeValueClassName else { return false }
    return Self.names(wanted, type)
  }

  /// Whether a name in a model, with or without module, is that of a type.
  package static func names(_ name: String, _ type: Any.Type) -> Bool {
    let reflected = String(reflecting: type)
    return reflected == name || reflected.hasSuffix("." + name)
  }
}
