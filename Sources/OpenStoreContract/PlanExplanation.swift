internal import OpenObjectModel

/// The kind of result that a store returns for a plan. The kind determines the statement that the
/// store executes.
public enum PlanResult: Sendable, Hashable {
  /// Complete rows.
  case rows
  /// The keys of rows.
  case keys
  /// The number of rows.
  case count
  /// The results of a plan with a projection.
  case values
}

/// Whether an explanation contains the values bound to a plan. These values may be private.
public enum BindingVisibility: Sendable, Hashable {
  /// The explanation omits the values, or contains the values as text.
  case hidden, shown
}

/// A description of how a store would execute a plan, for information only.
///
/// Code must not depend on the contents of an explanation.
public struct PlanExplanation: Sendable, Hashable {
  /// A step in the execution of a plan, with its substeps.
  public struct Step: Sendable, Hashable {
    /// The store's description of the step.
    public var text: String
    public var steps: [Step]

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - text: The store's description of the step.
    ///   - steps: The substeps of the step; empty for a step without substeps.
    public init(_ text: String, steps: [Step] = []) {
      self.text = text
      self.steps = steps
    }
  }

  /// A table or another collection that is read completely.
  public struct Scan: Sendable, Hashable {
    /// The name of the table, or of the entity if the store has no tables.
    public var name: String
    /// The current number of rows in the table or collection.
    public var rowCount: Int

    /// Creates a description of a scan.
    ///
    /// - Parameters:
    ///   - name: The name of the table, or of the entity if the store has no tables.
    ///   - rowCount: The current number of rows in the table or collection.
    public init(_ name: String, rowCount: Int) {
      self.name = name
      self.rowCount = rowCount
    }
  }

  /// The statement without its values; nil for a store without statements.
  public var statement: String?
  /// The values bound to the statement's parameters, in order and as text; empty if the caller did
  /// not request values.
  public var bindings: [String] = []
  /// The store's steps in the execution of the plan, in order.
  public var steps: [Step] = []
  /// The names of the indexes that the plan uses, each listed once; empty if the plan uses no
  /// index.
  public var indexes: [String] = []
  /// The tables that are scanned completely; empty if there are none.
  public var fullScans: [Scan] = []
  /// The clauses for which SQLite builds a temporary B-tree, such as "ORDER BY"; empty if there are
  /// none.
  public var temporaryTrees: [String] = []
  /// The number of rows of the plan's entities, before filtering.
  public var candidateCount = 0
  /// Improvements that would make the plan faster, as sentences; empty if the store suggests none.
  public var suggestions: [String] = []

  /// Creates an explanation in which all properties are empty, nil or 0.
  public init() {}
}

extension FetchPlan {
  /// A plan that selects all rows of this plan's entities.
  public var unfiltered: FetchPlan {
    FetchPlan(
      shape: FetchShape(entity: shape.entity, includesSubentities: shape.includesSubentities))
  }
}

extension StoreBackend {
  /// Returns the default explanation, for a store that reads every row for every plan.
  ///
  /// The explanation contains no values.
  ///
  /// - Parameters:
  ///   - plan: The plan to explain.
  ///   - result: The kind of result, which has no effect.
  ///   - bindings: Whether to include values, which has no effect.
  /// - Returns: An explanation with one full scan.
  /// - Throws: `StoreError` with code `.closed` if the store is closed, or with another code if the
  ///   store cannot be read.
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
