/// What a sort descriptor sorts by.
public enum SortKey: Hashable {
  /// A key path by name.
  case key(String)
  /// A Swift key path, not yet resolved to a name.
  case keyPath(AnyKeyPath)
  /// The objects themselves.
  case none
}

/// How a sort descriptor compares texts.
public enum SortComparison: Sendable, Hashable {
  /// By value; texts by their bytes.
  case plain
  /// Capital and small letters are the same.
  case caseInsensitive
  /// By the rules of the locale.
  case localized
  /// By the rules of the locale, capital and small letters being the same.
  case localizedCaseInsensitive
  /// As file lists are sorted for people: by locale, without case, numbers by value.
  case localizedStandard
  /// By a comparator, in memory only.
  case comparator
}
