internal import OpenObjectGraph

/// The associations between source objects and destination objects, by mapping.
struct Associations {
  /// The associations of one mapping, in the order in which they were added.
  private struct Pairs {
    var sources: [NSManagedObject] = []
    var destinations: [NSManagedObject] = []
    var bySource: [NSManagedObject: [NSManagedObject]] = [:]
    var byDestination: [NSManagedObject: [NSManagedObject]] = [:]
  }

  private var mappings: [String: Pairs] = [:]
  /// The destinations of a source, over all mappings.
  private var bySource: [NSManagedObject: [NSManagedObject]] = [:]

  mutating func add(_ source: NSManagedObject, _ destination: NSManagedObject, mapping: String) {
    let isNewSource = mappings[mapping]?.bySource[source] == nil
    let isNewDestination = mappings[mapping]?.byDestination[destination] == nil
    var pairs = mappings.removeValue(forKey: mapping) ?? Pairs()
    if isNewSource { pairs.sources.append(source) }
    if isNewDestination { pairs.destinations.append(destination) }
    pairs.bySource[source, default: []].append(destination)
    pairs.byDestination[destination, default: []].append(source)
    mappings[mapping] = pairs
    bySource[source, default: []].append(destination)
  }

  /// Returns the destinations of a mapping: those of the given sources in order, or all of them.
  func destinations(of sources: [NSManagedObject]?, mapping: String) -> [NSManagedObject] {
    guard let pairs = mappings[mapping] else { return [] }
    return sources.map { Self.found($0, pairs.bySource) } ?? pairs.destinations
  }

  /// Returns the sources of a mapping: those of the given destinations in order, or all of them.
  func sources(of destinations: [NSManagedObject]?, mapping: String) -> [NSManagedObject] {
    guard let pairs = mappings[mapping] else { return [] }
    return destinations.map { Self.found($0, pairs.byDestination) } ?? pairs.sources
  }

  /// Returns the destinations of the given sources, over all mappings.
  func destinations(of sources: [NSManagedObject]) -> [NSManagedObject] {
    Self.found(sources, bySource)
  }

  private static func found(
    _ keys: [NSManagedObject], _ table: [NSManagedObject: [NSManagedObject]]
  ) -> [NSManagedObject] {
    let found = keys.flatMap { table[$0] ?? [] }
    if found.count == 1 { return found }
    var seen: Set<NSManagedObject> = []
    return found.filter { seen.insert($0).inserted }
  }
}
