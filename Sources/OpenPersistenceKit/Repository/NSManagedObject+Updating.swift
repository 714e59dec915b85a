public import OpenCoreData
internal import OpenObjectGraph

extension NSFetchRequestResult where Self: NSManagedObject {
  /// Assigns a property only if the value differs, so unchanged objects are not written.
  ///
  /// - Returns: Whether the value was assigned.
  @discardableResult
  public func update<Value: Equatable>(
    _ property: ReferenceWritableKeyPath<Self, Value>, to value: Value
  ) -> Bool {
    guard self[keyPath: property] != value else { return false }
    self[keyPath: property] = value
    return true
  }

  /// Assigns a property only if there is a value and it differs.
  ///
  /// - Returns: `true` if the condition is satisfied.
  @discardableResult
  public func updateIfPresent<Value: Equatable>(
    _ property: ReferenceWritableKeyPath<Self, Value?>, to value: Value?
  ) -> Bool {
    guard let value else { return false }
    return update(property, to: value)
  }
}
