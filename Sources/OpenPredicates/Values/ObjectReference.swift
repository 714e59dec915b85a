/// A reference to a managed object in plans and rows; a value of 16 bytes.
///
/// It contains an entity root, a store and a key, but never the object itself.
public struct ObjectReference: Sendable, Hashable {
  /// Token of the root of the object's entity tree.
  public var entityToken: UInt32
  /// Token of the store the object lives in; zero before it has one.
  public var storeToken: UInt32
  /// The object's key; negative while it has not been saved.
  public var key: Int64

  /// Creates a reference from its parts.
  public init(entityToken: UInt32, storeToken: UInt32, key: Int64) {
    self.entityToken = entityToken
    self.storeToken = storeToken
    self.key = key
  }
}

/// An object that plans and predicates can name, such as a managed object or its id.
public protocol ObjectReferencing: AnyObject {
  /// The name of the object; nil while it has none.
  var objectReference: ObjectReference? { get }
}
