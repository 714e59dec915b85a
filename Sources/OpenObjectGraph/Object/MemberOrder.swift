internal import Foundation

/// The members of an ordered relationship while their positions change.
///
/// Each method returns whether the indexes exist and match the objects. After a method has returned
/// `false`, the order must not be used.
struct MemberOrder {
  private(set) var members: [NSManagedObject]

  init(_ members: [NSManagedObject]) { self.members = members }

  /// Inserts objects at indexes, beginning with the lowest index; existing members move.
  mutating func insert(_ objects: [NSManagedObject], at places: [Int]) -> Bool {
    guard objects.count == places.count else { return false }
    let inserted = Set(objects.map(ObjectIdentifier.init))
    var rest = members.filter { !inserted.contains(ObjectIdentifier($0)) }[...]
    var merged: [NSManagedObject] = []
    merged.reserveCapacity(rest.count + objects.count)
    for (object, place) in zip(objects, places) {
      let distance = place - merged.count
      guard (0...rest.count).contains(distance) else { return false }
      merged += rest.prefix(distance)
      merged.append(object)
      rest = rest.dropFirst(distance)
    }
    members = merged + rest
    return true
  }

  /// Removes the objects at distinct indexes.
  mutating func remove(at places: [Int]) -> Bool {
    guard places.allSatisfy(members.indices.contains) else { return false }
    let removed = Set(places)
    members = members.enumerated().filter { !removed.contains($0.offset) }.map(\.element)
    return true
  }

  /// Replaces the object at an index; a replacement that is already a member moves.
  mutating func replace(at place: Int, with object: NSManagedObject) -> Bool {
    replace(at: [place], with: [object])
  }

  /// Replaces members; replacements that are members at other indexes move.
  ///
  /// The method also returns `false` if an object replaces several members.
  mutating func replace(at places: [Int], with objects: [NSManagedObject]) -> Bool {
    let replacements = Set(objects.map(ObjectIdentifier.init))
    guard objects.count == places.count, replacements.count == objects.count,
      places.allSatisfy(members.indices.contains)
    else { return false }
    for (object, place) in zip(objects, places) { members[place] = object }
    let replaced = Set(places)
    let remaining = members.enumerated().filter { member in
      replaced.contains(member.offset) || !replacements.contains(ObjectIdentifier(member.element))
    }
    members = remaining.map(\.element)
    return true
  }

  /// Replaces the members in a range with any number of objects; objects that are members outside
  /// the range move.
  mutating func replace(_ range: NSRange, with objects: [NSManagedObject]) -> Bool {
    guard range.location >= 0, (0...members.count).contains(range.length),
      range.location <= members.count - range.length
    else { return false }
    let replacements = Set(objects.map(ObjectIdentifier.init))
    func others(_ part: ArraySlice<NSManagedObject>) -> [NSManagedObject] {
      part.filter { !replacements.contains(ObjectIdentifier($0)) }
    }
    let before = others(members.prefix(range.location))
    let behind = others(members.dropFirst(range.location + range.length))
    members = before + objects + behind
    return true
  }
}
