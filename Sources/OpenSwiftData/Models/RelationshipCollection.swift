/// The type of a to-many relationship: an array of models, or an optional array.
///
/// The saved members are in the order in which they were first saved. Unsaved members follow, in
/// the order of their insertion.
///
/// > Reference: Apple, RelationshipCollection. Differs: D-371.
public protocol RelationshipCollection {
  associatedtype PersistentElement: PersistentModel

  /// Creates the collection with the given members.
  ///
  /// - Parameter members: The members of the collection.
  static func __make(_ members: [PersistentElement]) -> Self
  /// The members; an empty array if the relationship is `nil`.
  var __members: [PersistentElement] { get }
}

extension Array: RelationshipCollection where Element: PersistentModel {
  public typealias PersistentElement = Element

  public static func __make(_ members: [Element]) -> [Element] { members }
  public var __members: [Element] { self }
}

extension Optional: RelationshipCollection
where Wrapped: Sequence & RelationshipCollection, Wrapped.Element: PersistentModel {
  public typealias PersistentElement = Wrapped.PersistentElement

  public static func __make(_ members: [Wrapped.PersistentElement]) -> Wrapped? {
    Wrapped.__make(members)
  }
  public var __members: [Wrapped.PersistentElement] { self?.__members ?? [] }
}
