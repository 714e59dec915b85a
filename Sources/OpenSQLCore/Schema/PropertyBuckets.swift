import OpenObjectModel

/// The order in which Apple's framework meets an entity's properties when it names a table of pairs.
///
/// It is that of a hash table of the properties' names, of a kind and with a hash that stay the same on every system, so
/// that a model has the same names everywhere.
struct PropertyBuckets {
  private var buckets: [String: Int] = [:]

  init(of entity: CompiledEntity) {
    let stored = entity.properties.filter { property in
      !property.isTransient && !property.isElement
        && (property.attribute != nil || property.relationship != nil)
    }
    let toOneCount = stored.count { $0.relationship?.isToMany == false }
    let names = stored.map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    // The keys of rows, of entities and of versions, and a key for each to-one relationship, have places too.
    enter(names, count: names.count + toOneCount + 3)
  }

  /// The names of a table that was made for a number of entries.
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

  /// Whether one property is met before another one.
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

  /// The hash of a text, in 32 bits: of a long one, of its beginning, its middle and its end.
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
