package import class OpenPredicates.NSExpression

/// What a file says of how one property of a destination entity gets its value.
///
/// A value. Confined, like the user info it holds.
package struct PropertyMappingRecord {
  /// The name of the property.
  package var name: String?
  /// Gives the value; nil for none.
  package var valueExpression: NSExpression?
  /// Application-defined information about the mapping.
  package var userInfo: [AnyHashable: Any]?

  /// Creates a record.
  package init(
    name: String?, valueExpression: NSExpression? = nil, userInfo: [AnyHashable: Any]? = nil
  ) {
    self.name = name
    self.valueExpression = valueExpression
    self.userInfo = userInfo
  }
}
