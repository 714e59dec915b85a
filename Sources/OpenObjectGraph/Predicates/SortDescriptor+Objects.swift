public import Foundation
internal import OpenPredicates

extension SortDescriptor where Compared: NSManagedObject {
  /// Creates a Swift sort descriptor from an `NSSortDescriptor`.
  ///
  /// - Parameters:
  ///   - descriptor: Sorts by a key or by a key path over managed properties.
  ///   - comparedType: The class of the objects.
  /// - Returns: The descriptor; nil if the original has no key, or does not compare by value.
  /// > Reference: Apple, SortDescriptor, init(_:comparing:). Differs: it is for managed objects.
  public init?(_ descriptor: NSSortDescriptor, comparing comparedType: Compared.Type) {
    guard let key = descriptor.key, descriptor.sortComparison == .plain else { return nil }
    self.init(\Compared[sortedBy: key], order: descriptor.ascending ? .forward : .reverse)
  }
}

/// A value of any property, ordered as `compare:` orders values; nil comes first.
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
  /// The value at a key path; sort descriptors made of keys sort by it.
  fileprivate subscript(sortedBy key: String) -> SortedValue {
    if KeyRecorder.records(key, on: self) { return SortedValue(nil) }
    return SortedValue(value(forKeyPath: key))
  }
}
