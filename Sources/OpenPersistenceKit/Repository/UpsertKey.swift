public import Foundation
public import OpenCoreData

/// A value that identifies an object of an entity in a ``KeyedUpsertBatch``.
///
/// Strings, integers and UUIDs are keys. A custom type, for example an identifier that wraps a number, can conform.
///
/// > Reference: Addition.
public protocol UpsertKey: Hashable, Sendable {
  /// The types of attributes that hold such keys.
  static var attributeTypes: Set<NSAttributeType> { get }

  /// The values to look for in a store, first the one that a new object is given.
  var storedValues: [Any] { get }

  /// The key in a value of the attribute; nil for a value that is no such key.
  init?(storedValue: Any)

  /// Whether a value is stored exactly as this key, where several stored values are equal keys.
  func isExactly(_ storedValue: Any) -> Bool
}

extension UpsertKey {
  /// True: most keys are stored in one way only.
  ///
  /// - Returns: `true` if the condition is satisfied.
  public func isExactly(_ storedValue: Any) -> Bool { true }
}

extension String: UpsertKey {
  /// Text attributes.
  public static var attributeTypes: Set<NSAttributeType> { [.stringAttributeType] }

  /// The text and its composed and decomposed forms, because stores compare texts by their bytes.
  public var storedValues: [Any] {
    if utf8.allSatisfy({ $0 < 0x80 }) { return [self] }
    var forms = [self]
    for form in [precomposedStringWithCanonicalMapping, decomposedStringWithCanonicalMapping]
    where !forms.contains(where: { $0.utf8.elementsEqual(form.utf8) }) {
      forms.append(form)
    }
    return forms
  }

  /// The text in a value.
  public init?(storedValue: Any) {
    guard let text = storedValue as? String else { return nil }
    self = text
  }

  /// Whether a text has the same bytes.
  ///
  /// - Returns: `true` if a text has the same bytes.
  public func isExactly(_ storedValue: Any) -> Bool {
    (storedValue as? String).map { utf8.elementsEqual($0.utf8) } ?? false
  }
}

extension UUID: UpsertKey {
  /// UUID attributes.
  public static var attributeTypes: Set<NSAttributeType> { [.UUIDAttributeType] }

  /// The UUID.
  public var storedValues: [Any] { [self] }

  /// The UUID in a value.
  public init?(storedValue: Any) {
    guard let identifier = storedValue as? UUID else { return nil }
    self = identifier
  }
}

extension UpsertKey where Self: FixedWidthInteger {
  /// Integer attributes of any size.
  public static var attributeTypes: Set<NSAttributeType> {
    [.integer16AttributeType, .integer32AttributeType, .integer64AttributeType]
  }

  /// The number.
  public var storedValues: [Any] { [NSNumber(value: Int64(clamping: self))] }

  /// The number in a value.
  public init?(storedValue: Any) {
    guard let number = storedValue as? NSNumber else { return nil }
    self.init(exactly: number.int64Value)
  }
}

extension Int: UpsertKey {}
extension Int16: UpsertKey {}
extension Int32: UpsertKey {}
extension Int64: UpsertKey {}
