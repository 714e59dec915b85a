package import Foundation
package import class OpenPredicates.NSExpression

/// The contents of an entity mapping in a file, before the library creates the `NSEntityMapping`.
///
/// A record is confined to one thread, like the user info in the record.
package struct EntityMappingRecord {
  /// The name of the mapping; nil if the file contains none.
  package var name: String?
  /// The raw value of the mapping's type, from 0, the default, to 5.
  package var type: UInt = 0
  /// The name of the source entity; nil if the mapping has no source entity.
  package var sourceEntityName: String?
  /// The version hash of the source entity; nil if the file contains none.
  package var sourceEntityVersionHash: Data?
  /// The name of the destination entity; nil if the mapping has no destination entity.
  package var destinationEntityName: String?
  /// The version hash of the destination entity; nil if the file contains none.
  package var destinationEntityVersionHash: Data?
  /// The mappings of attributes; nil if the file contains none.
  package var attributeMappings: [PropertyMappingRecord]?
  /// The mappings of relationships; nil if the file contains none.
  package var relationshipMappings: [PropertyMappingRecord]?
  /// The expression that returns the source objects; nil if the file contains none.
  package var sourceExpression: NSExpression?
  /// Application-defined information about the mapping; nil if the file contains none.
  package var userInfo: [AnyHashable: Any]?
  /// The name of the migration policy's class; nil for the standard policy.
  package var policyClassName: String?

  /// Creates an empty record.
  package init() {}
}
