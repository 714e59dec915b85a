extension StoreError {
  /// Creates the error for a stored value that does not fit the type of its property.
  ///
  /// The caller adds the names of the entity and the property.
  ///
  /// - Parameter key: The key of the row; nil if the key is unknown.
  /// - Returns: An error with the code ``Code/corrupt``.
  package static func unreadableValue(inRow key: Int64?) -> StoreError {
    let place = key.map { "row \($0)" } ?? "a row"
    return StoreError(
      .corrupt,
      "The stored value in \(place) does not have the type of its property. Set the property with a batch update, which "
        + "does not read the value, or restore a backup. The command coredata verify lists all such values."
    )
  }
}
