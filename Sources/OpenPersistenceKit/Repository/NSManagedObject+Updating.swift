public import OpenCoreData
internal import OpenObjectGraph

extension NSFetchRequestResult where Self: NSManagedObject {
  /// Assigns a value to a property only if the new value differs from the current value.
  ///
  /// An equal value therefore does not mark the object as changed, and a save does not write the
  /// object.
  ///
  /// - Parameters:
  ///   - property: The property to assign.
  ///   - value: The new value.
  /// - Returns: Whether the value was assigned.
  @discardableResult
  public func update<Value: Equatable>(
    _ property: ReferenceWritableKeyPath<Self, Value>, to value: Value
  ) -> Bool {
    guard self[keyPath: property] != value else { return false }
    self[keyPath: property] = value
    return true
  }

  /// Assigns a value to a property only if the new value is not nil and differs from the current
  /// value.
  ///
  /// - Parameters:
  ///   - property: The property to assign.
  ///   - value: The new value, or nil to keep the current value.
  /// - Returns: Whether the value was assigned.
  @discardableResult
  public func updateIfPresent<Value: Equatable>(
    _ property: ReferenceWritableKeyPath<Self, Value?>, to value: Value?
  ) -> Bool {
    guard let value else { return false }
    return update(property, to: value)
  }
}
