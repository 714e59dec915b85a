/// The members of an ordered relationship, while they are given other places.
///
/// Each change tells whether the places that it names exist; after one that they do not, the order is of no use.
struct MemberOrder {
  private(set) var members: [NSManagedObject]

  init(_ members: [NSManagedObject]) { self.members = members }

  /// Puts objects at places, lowest first; members move there.
  mutating func insert(_ objects: [NSManagedObject], at places: [Int]) -> Bool {
    guard objects.count == places.count else { return false }
    members.removeAll { member in objects.contains { $0 === member } }
    for (object, place) in zip(objects, places) {
      guard (0...members.count).contains(place) else { return false }
      members.insert(object, at: place)
    }
    return true
  }

  /// Removes the objects at places, which are ascending.
  mutating func remove(at places: [Int]) -> Bool {
    for place in places.reversed() {
      guard members.indices.contains(place) else { return false }
      members.remove(at: place)
    }
    return true
  }

  /// Replaces an object with another one; a member leaves its former place.
  mutating func replace(at place: Int, with object: NSManagedObject) -> Bool {
    guard members.indices.contains(place) else { return false }
    members[place] = object
    let former = members.indices.first { $0 != place && members[$0] === object }
    if let former { members.remove(at: former) }
    return true
  }

  /// Replaces members with other objects; false as well when one is a member elsewhere.
  mutating func replace(at places: [Int], with objects: [NSManagedObject]) -> Bool {
    guard objects.count == places.count, places.allSatisfy(members.indices.contains) else {
      return false
    }
    for (object, place) in zip(objects, places) { members[place] = object }
    return Set(members.map(ObjectIdentifier.init)).count == members.count
  }
}
