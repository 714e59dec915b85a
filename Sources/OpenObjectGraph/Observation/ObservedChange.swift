internal import Foundation

/// The change of a property, as its observers receive it.
struct ObservedChange {
  let kind: NSKeyValueChange
  /// The members that come, where members are inserted or replaced.
  var arrived: [NSManagedObject] = []
  /// The members that leave, where members are removed or replaced.
  var left: [NSManagedObject] = []
  /// The places in an ordered relationship: of members that come, where they are afterwards; of other members, their
  /// old indexes.
  var indexes: IndexSet?

  /// A change of the value as a whole.
  static var setting: ObservedChange { ObservedChange(kind: .setting) }

  /// Members of a relationship come or leave.
  ///
  /// - Parameter kind: An insertion or a removal; any other kind is a change of the value as a whole.
  static func members(
    _ members: [NSManagedObject], _ kind: NSKeyValueChange, at indexes: IndexSet? = nil
  ) -> ObservedChange {
    switch kind {
    case .insertion: ObservedChange(kind: kind, arrived: members, indexes: indexes)
    case .removal: ObservedChange(kind: kind, left: members, indexes: indexes)
    case .setting, .replacement: .setting
    }
  }

  /// The change between two states of an ordered relationship; nil if nothing differs.
  ///
  /// Members that came only, or left only, are an insertion or a removal. Other members at some places, with as many as before, are a
  /// replacement, also where members changed places. Anything else is a change of the whole value.
  ///
  /// > Complexity: O(n) in the number of members.
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
