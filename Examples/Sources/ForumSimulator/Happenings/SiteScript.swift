/// What happens on the site at which virtual time.
///
/// As JSON: `{"steps": [{"after": 60, "happening": "rename-thread", "times": 2}]}`.
public struct SiteScript: Codable, Sendable, Hashable {
  /// One or more happenings of a kind at one time.
  public struct Step: Codable, Sendable, Hashable {
    /// Virtual seconds after the start of the script.
    public let after: Int
    /// What happens.
    public let happening: Happening
    /// How often; once without it.
    public let times: Int?

    /// Makes a step.
    public init(after: Int, _ happening: Happening, times: Int? = nil) {
      self.after = after
      self.happening = happening
      self.times = times
    }
  }

  /// The steps, in any order.
  public let steps: [Step]

  /// Makes a script.
  public init(steps: [Step]) {
    self.steps = steps
  }

  /// A step with its instant.
  struct Due: Codable, Sendable, Hashable {
    let date: Int
    let happening: Happening
    let times: Int
  }

  /// The steps with their instants, soonest first; numbers out of range become the nearest in range.
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
  /// Lets something happen, chosen from the site's own sequence.
  ///
  /// - Parameter kind: What happens; `nil` stands for any kind.
  /// - Returns: What happened; `nil` when the kind cannot happen on the site as it is.
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

  /// Runs the first step of the script.
  mutating func runScript() {
    let step = script.removeFirst()
    for _ in 0..<step.times { happen(step.happening) }
  }
}
