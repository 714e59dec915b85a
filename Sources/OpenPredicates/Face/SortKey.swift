/// The key of a sort descriptor.
public enum SortKey: Hashable {
  /// A key path by name.
  case key(String)
  /// A Swift key path that is not resolved to a name yet.
  case keyPath(AnyKeyPath)
  /// The objects themselves.
  case none
}

/// The comparison of strings by a sort descriptor.
public enum SortComparison: Sendable, Hashable {
  /// The order of the values; strings are ordered by their bytes.
  case plain
  /// The order of the values, ignoring case.
  case caseInsensitive
  /// The order by the rules of the current locale.
  case localized
  /// The order by the rules of the current locale, ignoring case.
  case localizedCaseInsensitive
  /// The order of file lists: by locale, ignoring case, with numbers in numeric order.
  case localizedStandard
  /// The order of a comparator, which is available only in memory.
  case comparator
}

extension SortComparison {
  /// Creates the comparison of one of Apple's selectors, such as `caseInsensitiveCompare:`.
  ///
  /// The result is nil for any other selector.
  ///
  /// - Parameter name: The name of the selector.
  public init?(selectorName name: String) {
    guard let known = Self.selectors.first(where: { $0.name == name }) else { return nil }
    self = known.comparison
  }

  /// The name of Apple's selector for the comparison; nil for a comparator.
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
  /// The corresponding options of string comparison; a comparator has none.
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
