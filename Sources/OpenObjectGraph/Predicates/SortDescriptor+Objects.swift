public import Foundation
internal import OpenPredicates

extension SortDescriptor where Compared: NSManagedObject {
  /// Creates a Swift sort descriptor from an `NSSortDescriptor`.
  ///
  /// The initializer returns nil if the `NSSortDescriptor` has no key, or if it sorts with a
  /// comparator or with a selector other than `compare:`.
  ///
  /// - Parameters:
  ///   - descriptor: A descriptor that sorts by a managed property or by a key path of managed
  ///     properties.
  ///   - comparedType: The class of the objects.
  /// > Reference: Apple, SortDescriptor, init(_:comparing:). Differs: the initializer supports
  /// > only managed objects.
  public init?(_ descriptor: NSSortDescriptor, comparing comparedType: Compared.Type) {
    guard let key = descriptor.key, descriptor.sortComparison == .plain else { return nil }
    self.init(\Compared[sortedBy: key], order: descriptor.ascending ? .forward : .reverse)
  }
}

/// The value of any property, ordered like the results of `compare:`. A missing value comes first.
struct SortedValue: Comparable {
  private let value: Value

  init(_ value: Any?) { self.value = Value(any: value) ?? .null }

  static func < (one: SortedValue, other: SortedValue) -> Bool {
    Value.order(one.value, other.value) == .orderedAscending
  }

  static func == (one: SortedValue, other: SortedValue) -> Bool {
    Value.order(one.value, other.value) == .orderedSame
  }
}

extension NSManagedObject {
  /// The value at a key path. A `SortDescriptor` that is created from a key sorts by this value.
  fileprivate subscript(sortedBy key: String) -> SortedValue {
    if KeyRecorder.records(key, on: self) { return SortedValue(nil) }
    return SortedValue(KeyPathReader.value(atPath: key, of: self))
  }
}
