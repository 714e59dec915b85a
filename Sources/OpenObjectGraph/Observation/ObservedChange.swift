internal import Foundation

/// A change of a property, as its observers receive it.
struct ObservedChange {
  let kind: NSKeyValueChange
  /// The members that are inserted, or that replace other members.
  var arrived: [NSManagedObject] = []
  /// The members that are removed or replaced.
  var left: [NSManagedObject] = []
  /// The indexes in an ordered relationship: new indexes of inserted members, otherwise old
  /// indexes.
  var indexes: IndexSet?

  /// A change of the whole value.
  static var setting: ObservedChange { ObservedChange(kind: .setting) }

  /// Returns a change in which members of a relationship are inserted or removed.
  ///
  /// - Parameter kind: An insertion or a removal. Any other kind is a change of the whole value.
  static func members(
    _ members: [NSManagedObject], _ kind: NSKeyValueChange, at indexes: IndexSet? = nil
  ) -> ObservedChange {
    switch kind {
    case .insertion: ObservedChange(kind: kind, arrived: members, indexes: indexes)
    case .removal: ObservedChange(kind: kind, left: members, indexes: indexes)
    case .setting, .replacement: .setting
    }
  }

  /// Returns the change between two states of an ordered relationship; nil if they are equal.
  ///
  /// If members were only added or only removed, the change is an insertion or a removal.
  /// Otherwise, if the number of members is the same, the change is a replacement of all members
  /// whose index has a different member. Anything else is a change of the whole value.
  ///
  /// > Complexity: O(*n*) in the number of members.
  static func between(_ old: [NSManagedObject], _ new: [NSManagedObject]) -> ObservedChange? {
    let (arrived, left) = (places(in: new, notIn: old), places(in: old, notIn: new))
    if arrived.isEmpty || left.isEmpty {
      let kept = old.indices.filter { !left.contains($0) }.map { old[$0] }
      let present = new.indices.filter { !arrived.contains($0) }.map { new[$0] }
      if zip(kept, present).allSatisfy({ $0 === $1 }) {
        if !arrived.isEmpty { return .members(arrived.map { new[$0] }, .insertion, at: arrived) }
        if left.isEmpty { return nil }
        return .members(left.map { old[$0] }, .removal, at: left)
      }
    }
    guard old.count == new.count else { return .setting }
    let places = IndexSet(old.indices.filter { old[$0] !== new[$0] })
    return ObservedChange(
      kind: .replacement, arrived: places.map { new[$0] }, left: places.map { old[$0] },
      indexes: places)
  }

  private static func places(
    in members: [NSManagedObject], notIn others: [NSManagedObject]
  ) -> IndexSet {
    let known = Set(others.map(ObjectIdentifier.init))
    return IndexSet(members.indices.filter { !known.contains(ObjectIdentifier(members[$0])) })
  }
}
