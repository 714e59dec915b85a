/// A statement that writes without a packed row. The comment on each case lists the values that the
/// caller binds, in order.
package enum WriteRequest: Sendable, Hashable {
  /// Deletes a row of a table. The values are the key and the expected version.
  case delete(String)
  /// Sets the version of a row of a table to 0 if the row has no version. The value is the key.
  case completeVersion(String)
  /// Deletes the rows of a table that have a given value in a column. The bound value is this
  /// value.
  case deleteWhere(String, column: String)
  /// Sets the given columns to null in those rows of a table that have a given value in the column
  /// `column`, and increments the row versions if requested. The bound value is the given value.
  case clear([String], table: String, column: String, raisesVersion: Bool)
  /// Inserts a join row unless the join row already exists. The values are the keys of the source
  /// and the destination.
  case insertPair(ToManyStorage.JoinSide)
  /// Deletes a join row. The values are the keys of the source and the destination.
  case deletePair(ToManyStorage.JoinSide)
  /// Sets the hidden foreign key of a destination; see ``ToManyStorage/ForeignKey/isHidden``. The
  /// values are the keys of the owner and the destination.
  case setHiddenKey(ToManyStorage.ForeignKey)
  /// Sets the hidden foreign key of a destination to null if the destination has the given owner.
  /// The values are the keys of the destination and the owner.
  case clearHiddenKey(ToManyStorage.ForeignKey)
  /// Sets the position of a member in an ordered relationship. The values are the position, the key
  /// of the destination and the key of the source.
  case setPlace(ToManyStorage, column: String)
  /// Sets the position of a destination to null if the destination has no owner. The value is the
  /// key of the destination.
  case clearPlace(ToManyStorage.ForeignKey, column: String)
  /// Reserves keys and returns the last key. The values are the number of keys and the number of
  /// the root entity.
  case reserveKeys
  /// Raises the last key of a root entity. The values are the key, the number of the root entity,
  /// and the key again.
  case raiseLastKey
  /// Deletes the rows of a table that have one of several values in a column. The value is a JSON
  /// array of these values.
  case deleteMembers(String, column: String)
  /// Sets the given columns to null in those rows that have one of several values in the column
  /// `column`, and returns the key and the entity number of each row. The value is a JSON array of
  /// these values.
  case clearMembers([String], table: String, column: String, raisesVersion: Bool)
}
