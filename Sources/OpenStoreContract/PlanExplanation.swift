internal import OpenObjectModel

/// What a store hands back for a plan; the statement depends on it.
public enum PlanResult: Sendable, Hashable {
  /// Rows with their values.
  case rows
  /// Keys only.
  case keys
  /// A number.
  case count
  /// The results of a plan with a projection.
  case values
}

/// Whether an explanation has the values that a plan is bound to, which may be private.
public enum BindingVisibility: Sendable, Hashable {
  case hidden, shown
}

/// How a store would carry a plan out: facts for people, which no code is to depend on.
public struct PlanExplanation: Sendable, Hashable {
  /// A step of the plan, with the steps that it is made of.
  public struct Step: Sendable, Hashable {
    /// The store's own words.
    public var text: String
    public var steps: [Step]

    /// Makes a step.
    ///
    /// - Parameters:
    ///   - text: The store's own words.
    ///   - steps: The steps that it is made of.
    public init(_ text: String, steps: [Step] = []) {
      self.text = text
      self.steps = steps
    }
  }

  /// A table or another collection of rows that is read from its first row to its last.
  public struct Scan: Sendable, Hashable {
    /// The table, or the entity where the store has no tables.
    public var name: String
    /// Number of its rows now.
    public var rowCount: Int

    /// Makes a scan of a table of a number of rows.
    public init(_ name: String, rowCount: Int) {
      self.name = name
      self.rowCount = rowCount
    }
  }

  /// The statement without its values; nil for a store that has none.
  public var statement: String?
  /// What is bound to the statement's parameters, in their order, as text; empty unless it was asked for.
  public var bindings: [String] = []
  /// What the store does, in its order.
  public var steps: [Step] = []
  /// Names of the indexes that are used, each once.
  public var indexes: [String] = []
  /// What is read as a whole.
  public var fullScans: [Scan] = []
  /// What is sorted or grouped in a temporary tree, in words such as "ORDER BY".
  public var temporaryTrees: [String] = []
  /// Rows of the entities that the plan asks for.
  public var candidateCount = 0
  /// What would make the plan faster, in sentences.
  public var suggestions: [String] = []

  /// Makes an explanation without facts.
  public init() {}
}

extension FetchPlan {
  /// The plan for all rows of the same entities.
  public var unfiltered: FetchPlan {
    FetchPlan(
      shape: FetchShape(entity: shape.entity, includesSubentities: shape.includesSubentities))
  }
}

extension StoreBackend {
  /// The explanation of a store that looks at every row for every plan.
  public func explanation(
    of plan: FetchPlan, result: PlanResult, bindings: BindingVisibility
  ) throws(StoreError) -> PlanExplanation {
    var explanation = PlanExplanation()
    explanation.candidateCount = try count(matching: plan.unfiltered)
    explanation.steps = [PlanExplanation.Step("visits every row of \(plan.shape.entity.name)")]
    explanation.fullScans = [
      PlanExplanation.Scan(plan.shape.entity.name, rowCount: explanation.candidateCount)
    ]
    return explanation
  }
}
