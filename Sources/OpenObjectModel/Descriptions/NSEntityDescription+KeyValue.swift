public import OpenPredicates

extension NSEntityDescription: KeyValueReadable {
  /// Returns the entity's name or class name, for key paths such as `entity.name`.
  ///
  /// - Parameter key: `name` or `managedObjectClassName`.
  /// - Returns: The name or the class name; nil if the name is not set; `NoSuchKey.marker` for any
  ///   other key.
  public func readableValue(forKey key: String) -> Any? {
    switch key {
    case "name": name
    case "managedObjectClassName": managedObjectClassName as String?
    default: NoSuchKey.marker
    }
  }
}
