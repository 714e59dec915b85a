public import Foundation

/// The id and the values of one object of an atomic store.
///
/// The value of a to-one relationship is a node. The value of a to-many relationship is a
/// collection of nodes. A value may contain object ids instead of nodes.
///
/// > Concurrency: Confined to one thread at a time: the thread that adds the store, or the thread
/// > that saves a context.
/// > Reference: Apple, NSAtomicStoreCacheNode.
open class NSAtomicStoreCacheNode: NSObject {
  /// The id of the object.
  public let objectID: NSManagedObjectID
  /// The values by property name; nil if no value has been set.
  open var propertyCache: NSMutableDictionary?

  /// Creates a node without values for an object id.
  ///
  /// > Reference: Apple, init(objectID:).
  public init(objectID moid: NSManagedObjectID) { objectID = moid }

  /// Returns the value of a property; nil if the property has no value.
  ///
  /// > Reference: Apple, value(forKey:).
  open func value(forKey key: String) -> Any? { propertyCache?.object(forKey: key) }

  /// Sets the value of a property; nil removes the value.
  ///
  /// - Parameters:
  ///   - value: The new value; nil to remove the value.
  ///   - key: The name of the property.
  /// > Reference: Apple, setValue(_:forKey:).
  open func setValue(_ value: Any?, forKey key: String) {
    guard let value else { return propertyCache?.removeObject(forKey: key) ?? () }
    let cache = propertyCache ?? NSMutableDictionary()
    propertyCache = cache
    cache.setObject(value, forKey: key as NSString)
  }
}
