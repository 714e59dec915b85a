/// The name under which a value transformer is registered.
///
/// > Reference: Apple, NSValueTransformerName.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
  /// The name of the transformer, as it appears in models.
  public let rawValue: String

  /// Creates a name from a string.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a name from a string.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// The name of the transformer that converts a Boolean value to its opposite.
  public static let negateBooleanTransformerName = NSValueTransformerName("NSNegateBoolean")
  /// The name of the transformer that tests whether a value is nil.
  public static let isNilTransformerName = NSValueTransformerName("NSIsNil")
  /// The name of the transformer that tests whether a value is not nil.
  public static let isNotNilTransformerName = NSValueTransformerName("NSIsNotNil")
  /// An older name with the same meaning as ``keyedUnarchiveFromDataTransformerName``.
  public static let unarchiveFromDataTransformerName = NSValueTransformerName("NSUnarchiveFromData")
  /// The name of the transformer that reads keyed archives of Foundation values; new models should
  /// use ``secureUnarchiveFromDataTransformerName``.
  public static let keyedUnarchiveFromDataTransformerName =
    NSValueTransformerName("NSKeyedUnarchiveFromData")
  /// The name of the transformer that reads only keyed archives whose objects have allowed classes.
  ///
  /// The transformer is an instance of ``NSSecureUnarchiveFromDataTransformer``.
  public static let secureUnarchiveFromDataTransformerName =
    NSValueTransformerName("NSSecureUnarchiveFromData")
}
