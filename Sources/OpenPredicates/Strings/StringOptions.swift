/// The options of string comparison: the letters in brackets after an operator, as in `CONTAINS[cd]`.
public struct StringOptions: OptionSet, Sendable, Hashable {
  /// The bits, with the values of Apple's comparison predicate options.
  public let rawValue: UInt

  /// Creates options from their raw value.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// `c`: ignores the difference between uppercase and lowercase.
  public static let caseInsensitive = StringOptions(rawValue: 1)
  /// `d`: ignores diacritics.
  public static let diacriticInsensitive = StringOptions(rawValue: 2)
  /// `n`: the strings are already normalized; compares bytes and overrides `c` and `d`.
  public static let normalized = StringOptions(rawValue: 4)
  /// `l`: by the rules of the current locale.
  public static let localeSensitive = StringOptions(rawValue: 8)
  /// Compares digits by their numeric value, and equal strings by their spelling, as file lists are sorted.
  ///
  /// An addition without a letter; for sorting only.
  public static let numeric = StringOptions(rawValue: 64)

  /// Character by character as Swift compares texts: canonically equivalent ones are equal, a part begins and ends at
  /// borders of characters, and every text contains the empty text.
  ///
  /// An addition without a letter, for `contains` and `starts(with:)` in Swift predicates.
  package static let characters = StringOptions(rawValue: 128)

  /// Whether texts are folded before they are compared.
  package var folds: Bool {
    !contains(.normalized) && !isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
  }
}
