/// Which things of a source model became which things of a destination model, by names and renaming identifiers.
struct NamedMatch<Thing: AnyObject> {
  private(set) var pairs: [(source: Thing, destination: Thing)] = []
  /// Source things that became nothing.
  private(set) var removed: [Thing]
  /// Destination things that are new.
  private(set) var added: [Thing]
  /// Destinations whose renaming identifier names a source that another one names as well.
  private(set) var rivals: [Thing] = []

  /// Matches things.
  ///
  /// A thing's identifier is its renaming identifier, or its name where it has none. Equal identifiers count first, those that
  /// both things were given before those that are names: things that exchanged their names stay apart in later versions, which
  /// keep the identifiers, and a new thing may take an old name. What is left is matched by a renaming identifier that is a
  /// source's name although the source has another identifier, then by name.
  ///
  /// - Parameters:
  ///   - name: The name of a thing.
  ///   - identifier: Its renaming identifier, which is its name where it has none.
  init(
    _ sources: [Thing], _ destinations: [Thing], name: (Thing) -> String,
    identifier: (Thing) -> String
  ) {
    removed = sources
    added = destinations
    /// The identifier that a thing was given.
    func given(_ thing: Thing) -> String? {
      identifier(thing) == name(thing) ? nil : identifier(thing)
    }
    /// The name of a thing that was given no identifier.
    func plain(_ thing: Thing) -> String? { given(thing) == nil ? name(thing) : nil }
    join(sources: given, given)
    join(sources: plain, given)
    join(sources: plain, plain)
    join(sources: given, plain)
    join(sources: name, given)
    join(sources: name, name)
  }

  private mutating func join(
    sources key: (Thing) -> String?, _ wanted: (Thing) -> String?
  ) {
    var known: [String: Thing] = [:]
    for source in removed { if let key = key(source) { known[key] = known[key] ?? source } }
    var taken: Set<ObjectIdentifier> = []
    added.removeAll { destination in
      guard let key = wanted(destination), let source = known[key] else { return false }
      guard taken.insert(ObjectIdentifier(source)).inserted else {
        rivals.append(destination)
        return false
      }
      pairs.append((source, destination))
      return true
    }
    removed.removeAll { taken.contains(ObjectIdentifier($0)) }
  }
}
