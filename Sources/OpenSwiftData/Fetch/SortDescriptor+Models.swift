public import Foundation
internal import OpenObjectGraph
internal import OpenPredicates

extension SortDescriptor where Compared: PersistentModel {
  /// Creates a sort descriptor that compares strings with `.localizedStandard`.
  ///
  /// - Parameters:
  ///   - keyPath: The property to sort by.
  ///   - order: The direction of the order.
  /// > Reference: Apple, SortDescriptor, init(_:comparator:order:).
  public init(_ keyPath: any KeyPath<Compared, String> & Sendable, order: SortOrder = .forward) {
    self.init(keyPath, comparator: .localizedStandard, order: order)
  }

  /// Creates a sort descriptor that compares optional strings with `.localizedStandard`. In forward
  /// order, `nil` comes first.
  ///
  /// - Parameters:
  ///   - keyPath: The property to sort by.
  ///   - order: The direction of the order.
  /// > Reference: Apple, SortDescriptor, init(_:comparator:order:).
  public init(_ keyPath: any KeyPath<Compared, String?> & Sendable, order: SortOrder = .forward) {
    self.init(keyPath, comparator: .localizedStandard, order: order)
  }

  /// Creates a sort descriptor that compares Boolean values. In forward order, `false` comes first.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - keyPath: The property to sort by.
  ///   - order: The direction of the order.
  public init(_ keyPath: any KeyPath<Compared, Bool> & Sendable, order: SortOrder = .forward) {
    self.init(\Compared[ordered: keyPath], order: order)
  }

  /// Creates a sort descriptor that compares optional Boolean values. In forward order, `nil` comes
  /// first, followed by `false`.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - keyPath: The property to sort by.
  ///   - order: The direction of the order.
  public init(_ keyPath: any KeyPath<Compared, Bool?> & Sendable, order: SortOrder = .forward) {
    self.init(\Compared[ordered: keyPath], order: order)
  }

  /// Creates a sort descriptor that compares the raw values of an enumeration.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - keyPath: The property to sort by.
  ///   - order: The direction of the order.
  @_disfavoredOverload
  public init<Raw: RawRepresentable>(
    _ keyPath: any KeyPath<Compared, Raw> & Sendable, order: SortOrder = .forward
  ) where Raw.RawValue: Comparable {
    self.init(\Compared[ordered: keyPath], order: order)
  }

  /// Creates a sort descriptor that compares the raw values of an optional enumeration. In forward
  /// order, `nil` comes first.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - keyPath: The property to sort by.
  ///   - order: The direction of the order.
  @_disfavoredOverload
  public init<Raw: RawRepresentable>(
    _ keyPath: any KeyPath<Compared, Raw?> & Sendable, order: SortOrder = .forward
  ) where Raw.RawValue: Comparable {
    self.init(\Compared[ordered: keyPath], order: order)
  }
}

/// A value that is ordered as in a store, with the key path of its property.
struct OrderedValue: Comparable {
  let keyPath: AnyKeyPath
  private let value: Value

  init(_ content: Any, _ keyPath: AnyKeyPath) {
    self.keyPath = keyPath
    value = Self.plain(content)
  }

  private static func plain(_ content: Any) -> Value {
    guard let content = ModelCoding.unwrapped(content) else { return .null }
    if let raw = content as? any RawRepresentable { return plain(raw.rawValue) }
    return Value(any: content) ?? .null
  }

  static func < (one: OrderedValue, other: OrderedValue) -> Bool {
    Value.order(one.value, other.value) == .orderedAscending
  }

  static func == (one: OrderedValue, other: OrderedValue) -> Bool {
    Value.equals(one.value, other.value)
  }
}

extension PersistentModel {
  /// The value of a property whose type is not `Comparable`.
  fileprivate subscript<Content>(
    ordered keyPath: any KeyPath<Self, Content> & Sendable
  ) -> OrderedValue { OrderedValue(self[keyPath: keyPath], keyPath) }
}

/// Finds the properties of sort descriptors whose values are not `Comparable`.
enum OrderedKeyPath {
  /// Returns the key path of the property that a sort descriptor sorts by.
  static func inner<Model: PersistentModel>(
    of keyPath: AnyKeyPath, in type: Model.Type
  ) -> AnyKeyPath {
    guard let ordered = keyPath as? KeyPath<Model, OrderedValue> else { return keyPath }
    var inner: AnyKeyPath = keyPath
    _ = KeyRecorder.name(readingAn: __ModelObject.self) { object in
      guard let object = object as? __ModelObject else { return }
      inner = object.makeModel(type)[keyPath: ordered].keyPath
    }
    return inner
  }
}
