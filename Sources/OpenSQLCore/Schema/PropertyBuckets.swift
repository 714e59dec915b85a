import OpenObjectModel

/// The order in which Apple's framework enumerates an entity's properties when it names a join
/// table.
///
/// The order is the order of a hash table of the property names. The structure and the hash
/// function of this table are the same on every system, so that a model results in the same names
/// everywhere.
struct PropertyBuckets {
  private var buckets: [String: Int] = [:]

  init(of entity: CompiledEntity) {
    let stored = entity.properties.filter { property in
      !property.isTransient && !property.isElement
        && (property.attribute != nil || property.relationship != nil)
    }
    let toOneCount = stored.count { $0.relationship?.isToMany == false }
    let names = stored.map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    // The columns of keys, entities and versions, and one for each to-one relationship, also count.
    enter(names, count: names.count + toOneCount + 3)
  }

  /// Enters names in a hash table that was created for a number of entries.
  private mutating func enter(_ names: [String], count: Int) {
    // More properties than a table of SQLite can have columns.
    guard let size = Self.sizes.first(where: { count <= $0.capacity })?.buckets else { return }
    var taken: Set<Int> = []
    for name in names {
      var bucket = Int(Self.hash(name)) % size
      while !taken.insert(bucket).inserted { bucket = (bucket + 1) % size }
      buckets[name] = bucket
    }
  }

  /// Returns whether one property is enumerated before another property.
  func isFirst(_ name: String, before other: String) -> Bool {
    guard let one = buckets[name], let two = buckets[other] else {
      return name.utf8.lexicographicallyPrecedes(other.utf8)
    }
    return one < two
  }

  private static let sizes: [(capacity: Int, buckets: Int)] = [
    (4, 5), (8, 11), (17, 23), (29, 41), (47, 67), (76, 113), (123, 199), (199, 317), (322, 521),
    (521, 839), (843, 1361), (1364, 2207),
  ]

  /// Returns the 32-bit hash of a string. For a long string, only the beginning, the middle and the
  /// end are hashed.
  private static func hash(_ text: String) -> UInt32 {
    var units = Array(text.utf16)
    let length = units.count
    if length > 96 {
      let middle = length / 2
      units = Array(units[..<32] + units[middle - 16..<middle + 16] + units[(length - 32)...])
    }
    var hash = UInt32(truncatingIfNeeded: length)
    for unit in units { hash = hash &* 257 &+ UInt32(unit) }
    return hash &+ hash &<< UInt32(length & 31)
  }
}
