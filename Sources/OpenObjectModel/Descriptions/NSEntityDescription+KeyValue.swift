public import OpenPredicates

extension NSEntityDescription: KeyValueReadable {
  /// Returns the value of a property, for key paths such as `entity.name`.
  ///
  /// - Parameter key: The name of the property.
  /// - Returns: The value of the property; nil if the property has no value; `NoSuchKey.marker` if
  ///   no property has the name.
  public func readableValue(forKey key: String) -> Any? {
    switch key {
    case "name": name
    case "managedObjectClassName": managedObjectClassName as String?
    default: NoSuchKey.marker
    }
  }
}
