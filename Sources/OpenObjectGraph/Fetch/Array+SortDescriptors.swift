package import Foundation
internal import OpenPredicates

extension [NSSortDescriptor] {
  /// Returns the order of two values by the first sort descriptor that distinguishes the values;
  /// `orderedSame` if no sort descriptor distinguishes the values.
  ///
  /// - Parameters:
  ///   - one: The first value.
  ///   - other: The second value.
  package func order(_ one: Any, _ other: Any) -> ComparisonResult {
    for descriptor in self {
      let order = descriptor.compare(one, to: other)
      if order != .orderedSame { return order }
    }
    return .orderedSame
  }
}

extension Array {
  /// Returns the elements sorted by sort descriptors; equal elements keep their order.
  func sorted(by descriptors: [NSSortDescriptor]) -> [Element] {
    guard !descriptors.isEmpty else { return self }
    // Comparators read the models of objects. A model exists only while it is retained.
    let readsModels = descriptors.contains { $0.sortComparison == .comparator }
    let models = readsModels ? map { ($0 as? any ModelOwning)?.ownedModel } : []
    defer { withExtendedLifetime(models) {} }
    return enumerated().sorted { one, other in
      switch descriptors.order(one.element, other.element) {
      case .orderedAscending: true
      case .orderedDescending: false
      case .orderedSame: one.offset < other.offset
      }
    }
    .map(\.element)
  }
}
