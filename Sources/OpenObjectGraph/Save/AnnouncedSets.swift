/// A cache of the sets of objects in the notifications of one save.
///
/// A save announces its objects twice: as changed and as saved. With the cache, the objects are
/// hashed only once.
struct AnnouncedSets {
  private var known: [(objects: [NSManagedObject], set: Set<NSManagedObject>)] = []

  /// Returns objects as a set. If an array with the same objects in the same order was passed
  /// before, the method returns the existing set.
  mutating func set(of objects: [NSManagedObject]) -> Set<NSManagedObject> {
    for entry in known where Self.isSame(entry.objects, objects) { return entry.set }
    // At most half full: objects that meet in the table are compared, and their comparison is dear.
    var set = Set<NSManagedObject>(minimumCapacity: objects.count + objects.count / 2)
    objects.forEachBorrowed { set.update(with: $0) }
    known.append((objects, set))
    return set
  }

  private static func isSame(_ one: [NSManagedObject], _ other: [NSManagedObject]) -> Bool {
    guard one.count == other.count else { return false }
    if one.withUnsafeBytes(\.baseAddress) == other.withUnsafeBytes(\.baseAddress) { return true }
    for index in one.indices where one[index] !== other[index] { return false }
    return true
  }

  mutating func removeAll() { known.removeAll() }
}
