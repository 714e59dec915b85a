package import OpenObjectModel

extension StoreError {
  /// Creates the error for a stored value that does not fit the type of its property.
  ///
  /// - Parameters:
  ///   - property: The property; nil for a computed value.
  ///   - entity: The entity of the row; nil for a computed value.
  ///   - key: The key of the row; nil if the key is unknown.
  ///   - path: The path of the store; nil if the path is unknown.
  /// - Returns: An error with the code ``Code/corrupt``.
  package static func unreadableValue(
    of property: CompiledProperty?, in entity: CompiledEntity?, row key: Int64?,
    path: String? = nil
  ) -> StoreError {
    let place = key.map { "row \($0)" } ?? "a row"
    return StoreError(
      .corrupt,
      "The stored value in \(place) does not have the type of its property. Set the property with a batch update, which "
        + "does not read the value, or restore a backup. The command coredata verify lists all such values.",
      path: path, entityName: entity?.name, propertyName: property?.name)
  }
}
