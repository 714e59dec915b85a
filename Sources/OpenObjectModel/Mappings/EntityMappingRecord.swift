package import Foundation
package import class OpenPredicates.NSExpression

/// What a file says of one entity mapping, before it is one of the public classes.
///
/// A value; what it refers to is not changed. Confined, like the user info it holds.
package struct EntityMappingRecord {
  /// The mapping's name; nil where the file has none.
  package var name: String?
  /// The number of the mapping's type, from 0 to 5.
  package var type: UInt = 0
  /// The name of the source entity.
  package var sourceEntityName: String?
  /// The version hash of the source entity.
  package var sourceEntityVersionHash: Data?
  /// The name of the destination entity.
  package var destinationEntityName: String?
  /// The version hash of the destination entity.
  package var destinationEntityVersionHash: Data?
  /// How attributes get their values.
  package var attributeMappings: [PropertyMappingRecord]?
  /// How relationships get their destinations.
  package var relationshipMappings: [PropertyMappingRecord]?
  /// Gives the source objects.
  package var sourceExpression: NSExpression?
  /// Application-defined information about the mapping.
  package var userInfo: [AnyHashable: Any]?
  /// The name of the migration policy's class.
  package var policyClassName: String?

  /// Creates a record that says nothing.
  package init() {}
}
