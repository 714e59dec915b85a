internal import Foundation
internal import OpenPredicates

extension Array {
  /// Returns the elements sorted by sort descriptors; equal elements keep their order.
  func sorted(by descriptors: [NSSortDescriptor]) -> [Element] {
    guard !descriptors.isEmpty else { return self }
    // Comparators read the models of objects. A model exists only while it is retained.
    let readsModels = descriptors.contains { $0.sortComparison == .comparator }
    let models = readsModels ? map { ($0 as? any ModelOwning)?.ownedModel } : []
    defer { withExtendedLifetime(models) {} }
    return enumerated().sorted { one, other in
      for descriptor in descriptors {
        switch descriptor.compare(one.element, to: other.element) {
        case .orderedAscending: return true
        case .orderedDescending: return false
        case .orderedSame: continue
        }
      }
      return one.offset < other.offset
    }
    .map(\.element)
  }
}
