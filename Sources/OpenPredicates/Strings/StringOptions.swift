/// The options of a string comparison. In a format, options are letters in brackets after an
/// operator, as in `CONTAINS[cd]`.
public struct StringOptions: OptionSet, Sendable, Hashable {
  /// The bits of the options, with the values of Apple's `NSComparisonPredicate.Options`.
  public let rawValue: UInt

  /// Creates options from their raw value.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// `c`: ignores the difference between uppercase and lowercase.
  public static let caseInsensitive = StringOptions(rawValue: 1)
  /// `d`: ignores diacritics.
  public static let diacriticInsensitive = StringOptions(rawValue: 2)
  /// `n`: compares the bytes of strings that are already normalized; overrides `c` and `d`.
  public static let normalized = StringOptions(rawValue: 4)
  /// `l`: compares strings according to the rules of the current locale.
  public static let localeSensitive = StringOptions(rawValue: 8)
  /// Compares numbers inside strings by value, so that `file9` precedes `file10`.
  ///
  /// If two strings are equal in this order, their exact characters determine the order. The option
  /// has no letter, and applies only to sorting.
  ///
  /// This is an addition to Apple's API.
  public static let numeric = StringOptions(rawValue: 64)

  /// Compares strings character by character, as Swift does.
  ///
  /// Canonically equivalent strings are equal, a substring begins and ends at character boundaries,
  /// and every string contains the empty string. The option has no letter; `contains` and
  /// `starts(with:)` in Swift predicates use this option.
  ///
  /// This is an addition to Apple's API.
  package static let characters = StringOptions(rawValue: 128)

  /// Whether strings are folded before they are compared.
  package var folds: Bool {
    !contains(.normalized) && !isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
  }
}
