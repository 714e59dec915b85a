/// A reference to a managed object in plans and rows.
///
/// A reference is a value of 16 bytes: a token for the root entity, a token for the store, and the
/// object's key. A reference does not contain the object itself.
public struct ObjectReference: Sendable, Hashable {
  /// The token of the root entity in the inheritance tree of the object's entity.
  public var entityToken: UInt32
  /// The token of the object's store; zero if the object has no store yet.
  public var storeToken: UInt32
  /// The object's key; negative until the object is saved.
  public var key: Int64

  /// Creates a reference from its parts.
  ///
  /// - Parameters:
  ///   - entityToken: The token of the root entity in the inheritance tree of the object's entity.
  ///   - storeToken: The token of the object's store; zero if the object has no store yet.
  ///   - key: The object's key; negative until the object is saved.
  public init(entityToken: UInt32, storeToken: UInt32, key: Int64) {
    self.entityToken = entityToken
    self.storeToken = storeToken
    self.key = key
  }
}

/// An object to which plans and predicates can refer, such as a managed object or its id.
public protocol ObjectReferencing: AnyObject {
  /// The reference to the object; nil if the object has no reference yet.
  var objectReference: ObjectReference? { get }
}
