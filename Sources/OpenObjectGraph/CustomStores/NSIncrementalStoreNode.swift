public import Foundation
public import OpenObjectModel

/// The values of one object of an incremental store.
///
/// > Concurrency: Confined to one thread at a time.
/// > Reference: Apple, NSIncrementalStoreNode.
open class NSIncrementalStoreNode: NSObject {
  /// The id of the object.
  public let objectID: NSManagedObjectID
  /// The row version of the object: a number that increases with each change to the object in the
  /// store.
  public private(set) var version: UInt64
  private var values: [String: Any]

  /// Creates a node.
  ///
  /// - Parameters:
  ///   - objectID: The id of the object.
  ///   - values: The values of attributes and the ids of to-one destinations, by property name. For
  ///     an attribute without a value, use `NSNull` or omit the entry. For a to-one relationship
  ///     without a destination, use `NSNull`; if the entry is missing, the library calls
  ///     ``NSIncrementalStore/newValue(forRelationship:forObjectWith:with:)``.
  ///   - version: The row version of the object.
  /// > Reference: Apple, init(objectID:withValues:version:).
  public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
    self.objectID = objectID
    self.values = values
    self.version = version
  }

  /// Replaces the values and the version of the node.
  ///
  /// - Parameters:
  ///   - values: The new values, in the same form as in ``init(objectID:withValues:version:)``.
  ///   - version: The new row version of the object.
  /// > Reference: Apple, update(withValues:version:).
  open func update(withValues values: [String: Any], version: UInt64) {
    self.values = values
    self.version = version
  }

  /// Returns the value of a property.
  ///
  /// - Parameter prop: The attribute or to-one relationship; only the name of the property matters.
  /// - Returns: The value of an attribute or the id of a to-one destination; nil if the node has no
  ///   entry for the property.
  /// > Reference: Apple, value(for:).
  open func value(for prop: NSPropertyDescription) -> Any? { values[prop.name] }
}
