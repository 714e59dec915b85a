public import Foundation

/// One object of an atomic store: its id and its values by property name.
///
/// To-one relationships have a node, to-many relationships a collection of nodes. Ids of objects are accepted as well.
///
/// > Concurrency: Used by one thread at a time: that of the save, or the one that adds the store.
/// > Reference: Apple, NSAtomicStoreCacheNode.
open class NSAtomicStoreCacheNode: NSObject {
  /// The id of the object.
  public let objectID: NSManagedObjectID
  /// The values by property name.
  open var propertyCache: NSMutableDictionary?

  /// Creates a node without values.
  ///
  /// > Reference: Apple, init(objectID:).
  public init(objectID moid: NSManagedObjectID) { objectID = moid }

  /// The value of a property; nil where there is none.
  ///
  /// - Returns: The value of a property; nil where there is none.
  /// > Reference: Apple, value(forKey:).
  open func value(forKey key: String) -> Any? { propertyCache?.object(forKey: key) }

  /// Sets the value of a property; nil removes it.
  ///
  /// > Reference: Apple, setValue(_:forKey:).
  open func setValue(_ value: Any?, forKey key: String) {
    guard let value else { return propertyCache?.removeObject(forKey: key) ?? () }
    let cache = propertyCache ?? NSMutableDictionary()
    propertyCache = cache
    cache.setObject(value, forKey: key as NSString)
  }
}
