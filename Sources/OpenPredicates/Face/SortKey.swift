/// The key by which a sort descriptor sorts.
public enum SortKey: Hashable {
  /// A key path, given as a string.
  case key(String)
  /// A Swift key path whose name has not been determined yet.
  case keyPath(AnyKeyPath)
  /// No key path: the descriptor sorts by the objects themselves.
  case none
}

/// The rule by which a sort descriptor compares strings.
public enum SortComparison: Sendable, Hashable {
  /// The order of the values; strings are ordered by their bytes.
  case plain
  /// The order of the values, ignoring case.
  case caseInsensitive
  /// The order according to the rules of the current locale.
  case localized
  /// The order according to the rules of the current locale, ignoring case.
  case localizedCaseInsensitive
  /// The order of names in file lists: by locale, ignoring case, with numbers in numeric order.
  case localizedStandard
  /// The order that a comparator determines; stores cannot execute comparators.
  case comparator
}

extension SortComparison {
  /// Creates the comparison for the name of one of Apple's selectors, such as
  /// `caseInsensitiveCompare:`.
  ///
  /// The result is nil for the name of any other selector.
  ///
  /// - Parameter name: The name of the selector.
  public init?(selectorName name: String) {
    guard let known = Self.selectors.first(where: { $0.name == name }) else { return nil }
    self = known.comparison
  }

  /// The name of Apple's selector for the comparison; nil for ``comparator``.
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
  /// The options of string comparison that correspond to the rule; empty for ``plain`` and
  /// ``comparator``.
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
