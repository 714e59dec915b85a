public import Foundation
public import OpenObjectModel

/// The values of one object of an incremental store.
///
/// > Concurrency: Used by one thread at a time.
/// > Reference: Apple, NSIncrementalStoreNode.
open class NSIncrementalStoreNode: NSObject {
  /// The id of the object.
  public let objectID: NSManagedObjectID
  /// The number of changes of the object in the store.
  public private(set) var version: UInt64
  private var values: [String: Any]

  /// Creates a node.
  ///
  /// - Parameters:
  ///   - objectID: The id of the object.
  ///   - values: Values of attributes by name, and ids of the destinations of to-one relationships; `NSNull` or no
  ///     entry if there is no value.
  ///   - version: The number of changes of the object in the store.
  /// > Reference: Apple, init(objectID:withValues:version:).
  public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
    self.objectID = objectID
    self.values = values
    self.version = version
  }

  /// Updates the node with newer values.
  ///
  /// > Reference: Apple, update(withValues:version:).
  open func update(withValues values: [String: Any], version: UInt64) {
    self.values = values
    self.version = version
  }

  /// The value of an attribute, or the id of the destination of a to-one relationship; nil when the node has none.
  ///
  /// - Returns: The value of an attribute, or the id of the destination of a to-one relationship; nil when the
  ///   node has none.
  /// > Reference: Apple, value(for:).
  open func value(for prop: NSPropertyDescription) -> Any? { values[prop.name] }
}
