/// The name under which a value transformer is registered.
///
/// > Reference: Apple, NSValueTransformerName.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
  /// The name as it is written in models.
  public let rawValue: String

  /// Creates a name from a string.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a name from a string.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// Turns a Boolean value into its opposite.
  public static let negateBooleanTransformerName = NSValueTransformerName("NSNegateBoolean")
  /// Tests whether a value is nil.
  public static let isNilTransformerName = NSValueTransformerName("NSIsNil")
  /// Tests whether a value is not nil.
  public static let isNotNilTransformerName = NSValueTransformerName("NSIsNotNil")
  /// Reads archives of Foundation's values; an older transformer.
  public static let unarchiveFromDataTransformerName = NSValueTransformerName("NSUnarchiveFromData")
  /// Reads keyed archives of Foundation's values; an older transformer.
  public static let keyedUnarchiveFromDataTransformerName =
    NSValueTransformerName("NSKeyedUnarchiveFromData")
  /// Reads keyed archives that contain only objects of allowed classes; see ``NSSecureUnarchiveFromDataTransformer``.
  public static let secureUnarchiveFromDataTransformerName =
    NSValueTransformerName("NSSecureUnarchiveFromData")
}
