/// What a to-many relationship can be declared as: an array of models, or an optional one.
///
/// The members come in the order of their rows, that is the order in which they were first saved, and unsaved ones last, in the
/// order in which they were inserted.
///
/// > Reference: Apple, RelationshipCollection. Differs: D-371.
public protocol RelationshipCollection {
  associatedtype PersistentElement: PersistentModel

  /// Makes the collection of some members.
  static func __make(_ members: [PersistentElement]) -> Self
  /// The members; none for nil.
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
