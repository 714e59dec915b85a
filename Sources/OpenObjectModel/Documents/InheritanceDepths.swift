/// The numbers of ancestors of the entities in a model that is being read.
struct InheritanceDepths {
  /// A reason to reject an entity.
  enum Problem {
    /// The entity or one of its ancestors is its own ancestor; the associated value is the name of
    /// an entity in this cycle.
    case cycle(String)
    /// The entity has more than ``InheritanceDepths/limit`` ancestors.
    case excess
  }

  /// The maximum number of ancestors of an entity, many times that of any real model.
  static let limit = 1000
  private let parents: [String: String]
  private var depths: [String: Int] = [:]

  /// - Parameter parents: The names of the parent entities, by the names of their children.
  init(parents: [String: String]) { self.parents = parents }

  /// Returns the reason to reject an entity, or nil if there is none. Calls for all entities visit
  /// every entity once.
  mutating func problem(of entity: String) -> Problem? {
    var path: [String] = []
    var seen: Set<String> = []
    var current: String? = entity
    while let name = current, depths[name] == nil {
      guard seen.insert(name).inserted else { return .cycle(name) }
      path.append(name)
      current = parents[name]
    }
    var depth = current.flatMap { depths[$0] } ?? -1
    for name in path.reversed() {
      depth += 1
      depths[name] = depth
    }
    return depth > Self.limit ? .excess : nil
  }
}
