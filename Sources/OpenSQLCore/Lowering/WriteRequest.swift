/// A statement that writes without a packed row, and what its caller binds.
package enum WriteRequest: Sendable, Hashable {
  /// Deletes a row of a table: the key, the version expected.
  case delete(String)
  /// Deletes the rows of a table with a value in a column.
  case deleteWhere(String, column: String)
  /// Empties columns of the rows of a table with a value in a column; a change of the row on
  /// demand.
  case clear([String], table: String, column: String, raisesVersion: Bool)
  /// Inserts a pair unless it is there: source, destination.
  case insertPair(ToManyStorage.JoinSide)
  /// Deletes a pair: source, destination.
  case deletePair(ToManyStorage.JoinSide)
  /// Sets the hidden key of a destination: the owner's key, the destination's key.
  case setHiddenKey(ToManyStorage.ForeignKey)
  /// Empties the hidden key of a destination: the destination's key, the owner's key.
  case clearHiddenKey(ToManyStorage.ForeignKey)
  /// Sets the place of a member in an ordered relationship: the place, the destination's key, the
  /// source's key.
  case setPlace(ToManyStorage, column: String)
  /// Empties the place of a destination that has no owner: the destination's key.
  case clearPlace(ToManyStorage.ForeignKey, column: String)
  /// Reserves keys and returns the last one: their number, the root's number.
  case reserveKeys
  /// Raises the last key to a given one: the key, the root's number, the key again.
  case raiseLastKey
  /// Deletes the rows of a table with one of several values in a column: the values as a JSON array.
  case deleteMembers(String, column: String)
  /// Clears columns of the rows with one of several values in a column, and returns key and entity number of each
  /// row: the values as a JSON array.
  case clearMembers([String], table: String, column: String, raisesVersion: Bool)
}
