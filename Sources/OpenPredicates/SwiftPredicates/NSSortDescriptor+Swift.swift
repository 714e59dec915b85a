public import Foundation

extension KeyInitializable {
  /// Creates a sort descriptor from a Swift `SortDescriptor`.
  ///
  /// If the Swift descriptor's string comparator is `.lexical`, `.localized` or
  /// `.localizedStandard`, the new descriptor also uses this comparator. Otherwise, strings are
  /// sorted by their bytes. A descriptor without a key path sorts only in memory.
  ///
  /// - Parameter sortDescriptor: A descriptor that sorts objects of the class `Compared`.
  /// > Reference: Apple, NSSortDescriptor, init(_:).
  public init<Compared: NSObject>(_ sortDescriptor: SortDescriptor<Compared>) {
    let isAscending = sortDescriptor.order == .forward
    guard let keyPath = sortDescriptor.keyPath else {
      self.init(key: nil, ascending: isAscending) { first, second in
        guard let first = first as? Compared, let second = second as? Compared else {
          return .orderedSame
        }
        let order = sortDescriptor.compare(first, second)
        return isAscending ? order : order.opposite
      }
      return
    }
    self.init(
      source: .keyPath(keyPath), ascending: isAscending,
      comparison: SortComparison(sortDescriptor.stringComparator) ?? .plain)
  }
}

extension ComparisonResult {
  /// The opposite order.
  fileprivate var opposite: ComparisonResult {
    switch self {
    case .orderedAscending: .orderedDescending
    case .orderedSame: .orderedSame
    case .orderedDescending: .orderedAscending
    }
  }
}
