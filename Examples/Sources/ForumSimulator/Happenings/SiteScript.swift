/// Events of the site by virtual time.
///
/// The JSON form is `{"steps": [{"after": 60, "happening": "rename-thread", "times": 2}]}`.
public struct SiteScript: Codable, Sendable, Hashable {
  /// One or more events of a kind at one time.
  public struct Step: Codable, Sendable, Hashable {
    /// The number of virtual seconds after the start of the script.
    public let after: Int
    /// The kind of the event.
    public let happening: Happening
    /// The number of events; `nil` for one.
    public let times: Int?

    /// Creates a step.
    public init(after: Int, _ happening: Happening, times: Int? = nil) {
      self.after = after
      self.happening = happening
      self.times = times
    }
  }

  /// The steps, in any order.
  public let steps: [Step]

  /// Creates a script.
  public init(steps: [Step]) {
    self.steps = steps
  }

  /// A step with its instant.
  struct Due: Codable, Sendable, Hashable {
    let date: Int
    let happening: Happening
    let times: Int
  }

  /// Returns the steps with their instants, earliest first; numbers out of range are clamped.
  func due(from start: Int) -> [Due] {
    let longest = 3_650 * 86_400
    return steps.map { step in
      Due(
        date: start + min(max(step.after, 0), longest), happening: step.happening,
        times: min(max(step.times ?? 1, 0), 10_000))
    }.sorted { $0.date < $1.date }
  }
}

extension SiteState {
  /// Applies an event, chosen from the site's own sequence.
  ///
  /// - Parameter kind: The kind of the event; `nil` for any kind.
  /// - Returns: The kind that occurred; `nil` if the kind cannot occur in the site's current state.
  @discardableResult
  mutating func happen(_ kind: Happening? = nil) -> Happening? {
    var maker = HappeningMaker(state: self, random: happenings)
    let drawn: (kind: Happening, change: SiteChange)?
    if let kind {
      drawn = maker.change(kind).map { (kind, $0) }
    } else {
      drawn = maker.next()
    }
    happenings = maker.random
    if let drawn { apply(drawn.change) }
    return drawn?.kind
  }

  /// Runs the first step of the script, and removes it.
  mutating func runScript() {
    let step = script.removeFirst()
    for _ in 0..<step.times { happen(step.happening) }
  }
}
