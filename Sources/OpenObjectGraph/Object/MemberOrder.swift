/// The members of an ordered relationship while their positions change.
///
/// Each method returns whether the given indexes exist. After a method has returned `false`, the
/// order must not be used.
struct MemberOrder {
  private(set) var members: [NSManagedObject]

  init(_ members: [NSManagedObject]) { self.members = members }

  /// Inserts objects at indexes, beginning with the lowest index; existing members move.
  mutating func insert(_ objects: [NSManagedObject], at places: [Int]) -> Bool {
    guard objects.count == places.count else { return false }
    members.removeAll { member in objects.contains { $0 === member } }
    for (object, place) in zip(objects, places) {
      guard (0...members.count).contains(place) else { return false }
      members.insert(object, at: place)
    }
    return true
  }

  /// Removes the objects at ascending indexes.
  mutating func remove(at places: [Int]) -> Bool {
    for place in places.reversed() {
      guard members.indices.contains(place) else { return false }
      members.remove(at: place)
    }
    return true
  }

  /// Replaces the object at an index; a replacement that is already a member moves.
  mutating func replace(at place: Int, with object: NSManagedObject) -> Bool {
    guard members.indices.contains(place) else { return false }
    members[place] = object
    let former = members.indices.first { $0 != place && members[$0] === object }
    if let former { members.remove(at: former) }
    return true
  }

  /// Replaces members; also returns `false` if a replacement is a member at another index.
  mutating func replace(at places: [Int], with objects: [NSManagedObject]) -> Bool {
    guard objects.count == places.count, places.allSatisfy(members.indices.contains) else {
      return false
    }
    for (object, place) in zip(objects, places) { members[place] = object }
    return Set(members.map(ObjectIdentifier.init)).count == members.count
  }
}
