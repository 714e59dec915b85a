/// The key of a sort descriptor.
public enum SortKey: Hashable {
  /// A key path by name.
  case key(String)
  /// A Swift key path, not yet resolved to a name.
  case keyPath(AnyKeyPath)
  /// The objects themselves.
  case none
}

/// How a sort descriptor compares strings.
public enum SortComparison: Sendable, Hashable {
  /// The order of the values; strings are ordered by their bytes.
  case plain
  /// The order of the values, ignoring case.
  case caseInsensitive
  /// The order by the rules of the locale.
  case localized
  /// The order by the rules of the locale, ignoring case.
  case localizedCaseInsensitive
  /// The order of file lists: by locale, ignoring case, with numbers by value.
  case localizedStandard
  /// The order of a comparator, in memory only.
  case comparator
}

extension SortComparison {
  /// Creates the comparison that a selector of Apple's framework performs, such as `caseInsensitiveCompare:`.
  ///
  /// - Parameter name: The selector's name.
  /// - Returns: nil for any other selector.
  public init?(selectorName name: String) {
    guard let known = Self.selectors.first(where: { $0.name == name }) else { return nil }
    self = known.comparison
  }

  /// Apple's selector for the comparison; nil for a comparator.
  public var selectorName: String? {
    Self.selectors.first { $0.comparison == self }?.name
  }

  private static let selectors: [(name: String, comparison: SortComparison)] = [
    ("compare:", .plain), ("caseInsensitiveCompare:", .caseInsensitive),
    ("localizedCompare:", .localized),
    ("localizedCaseInsensitiveCompare:", .localizedCaseInsensitive),
    ("localizedStandardCompare:", .localizedStandard),
  ]
}

extension SortComparison {
  /// The corresponding options of string comparison; those of a comparator are not used.
  public var options: StringOptions {
    switch self {
    case .plain, .comparator: []
    case .caseInsensitive: .caseInsensitive
    case .localized: .localeSensitive
    case .localizedCaseInsensitive: [.caseInsensitive, .localeSensitive]
    case .localizedStandard: [.caseInsensitive, .localeSensitive, .numeric]
    }
  }
}
