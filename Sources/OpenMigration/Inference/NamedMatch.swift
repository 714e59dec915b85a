/// Matches the elements of a source model with those of a destination model by names and renaming
/// identifiers.
struct NamedMatch<Thing: AnyObject> {
  private(set) var pairs: [(source: Thing, destination: Thing)] = []
  /// Source elements without a destination.
  private(set) var removed: [Thing]
  /// Destination elements without a source.
  private(set) var added: [Thing]
  /// Destination elements whose renaming identifier refers to a source that another destination
  /// refers to as well.
  private(set) var rivals: [Thing] = []

  /// Matches elements.
  ///
  /// The identifier of an element is its renaming identifier, or its name if the renaming
  /// identifier is missing or empty. Equal identifiers are matched first. Explicit identifiers of
  /// both elements precede names, so that elements that exchanged their names stay apart in later
  /// versions with the same identifiers, and a new element can use an old name. The remaining
  /// elements are matched by a renaming identifier that equals the name of a source with another
  /// identifier, and then by name if the elements can have the same values.
  ///
  /// - Parameters:
  ///   - name: Returns the name of an element.
  ///   - identifier: Returns the identifier of an element, which is its name if it has no renaming
  ///     identifier.
  ///   - fits: Returns whether a destination with a renaming identifier that no source has can
  ///     take the values of the source with its name.
  init(
    _ sources: [Thing], _ destinations: [Thing], name: (Thing) -> String,
    identifier: (Thing) -> String, fits: (Thing, Thing) -> Bool = { _, _ in true }
  ) {
    removed = sources
    added = destinations
    /// Returns the explicit renaming identifier of an element, or nil if there is none.
    func given(_ thing: Thing) -> String? {
      let text = identifier(thing)
      return text.isEmpty || text == name(thing) ? nil : text
    }
    /// Returns the name of an element without an explicit renaming identifier.
    func plain(_ thing: Thing) -> String? { given(thing) == nil ? name(thing) : nil }
    join(sources: given, given)
    join(sources: plain, given)
    join(sources: plain, plain)
    join(sources: given, plain)
    join(sources: name, given)
    join(sources: name, name, if: fits)
  }

  private mutating func join(
    sources key: (Thing) -> String?, _ wanted: (Thing) -> String?,
    if fits: (Thing, Thing) -> Bool = { _, _ in true }
  ) {
    var known: [String: Thing] = [:]
    for source in removed { if let key = key(source) { known[key] = known[key] ?? source } }
    var taken: Set<ObjectIdentifier> = []
    added.removeAll { destination in
      guard let key = wanted(destination), let source = known[key], fits(source, destination)
      else { return false }
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
