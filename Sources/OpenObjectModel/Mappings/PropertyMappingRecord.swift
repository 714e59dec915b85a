package import class OpenPredicates.NSExpression

/// The contents of the mapping of one property of a destination entity.
///
/// A record is confined to one thread, like the user info in the record.
package struct PropertyMappingRecord {
  /// The name of the property; nil if the file contains none.
  package var name: String?
  /// The expression that computes the value; nil if the mapping has no expression.
  package var valueExpression: NSExpression?
  /// Application-defined information about the mapping; nil if the file contains none.
  package var userInfo: [AnyHashable: Any]?

  /// Creates a record.
  ///
  /// - Parameters:
  ///   - name: The name of the property; nil if the file contains none.
  ///   - valueExpression: The expression that computes the value; nil for no expression.
  ///   - userInfo: Application-defined information about the mapping; nil if the file contains
  ///     none.
  package init(
    name: String?, valueExpression: NSExpression? = nil, userInfo: [AnyHashable: Any]? = nil
  ) {
    self.name = name
    self.valueExpression = valueExpression
    self.userInfo = userInfo
  }
}
