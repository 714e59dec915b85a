public import OpenStoreContract

/// The plan for a store's migration across one or several model versions.
///
/// ``StoreMigration/plan(to:via:)`` returns a plan.
///
/// This is an addition to Apple's API.
///
/// > Concurrency: A value type; usable on any thread.
public struct MigrationPlan: Sendable, Hashable, CustomStringConvertible {
  /// A step of a migration, from one model version to a later version.
  public struct Step: Sendable, Hashable, CustomStringConvertible {
    /// The kinds of mapping that a step can use.
    public enum Kind: String, Sendable, Hashable {
      /// The step uses a mapping that is inferred from names and renaming identifiers.
      case inferred
      /// The step uses a mapping model.
      case mapped
    }

    /// The name of the model version before the step.
    public var source: String
    /// The name of the model version after the step.
    public var destination: String
    /// The kind of mapping that the step uses.
    public var kind: Kind
    /// The method by which the step changes the store; nil if a migration manager copies objects to
    /// a new store.
    public var way: StoreMigrationPlan.Way?
    /// Sentences that explain why the file must be copied, or why the step cannot run; empty if
    /// neither applies.
    public var reasons: [String]
    /// The SQL statements of the step in the order of execution, without bound values. The array is
    /// empty if a migration manager copies objects.
    public var statements: [String]
    /// The number of rows that the step writes or deletes, or of objects that a migration manager
    /// copies. Rows whose number the plan cannot determine are not counted. The value is nil for
    /// all steps after the first step, because the data for these steps does not exist yet.
    public var rewrittenRows: Int?
    /// The additional disk space that the step needs, in bytes. The value is nil for all steps
    /// after the first step, because the data for these steps does not exist yet.
    public var bytesNeeded: Int64?
    /// The data that the step drops. The array is empty if a migration manager copies objects. Only
    /// the first step counts rows; the row counts of later steps are 0.
    public var losses: [StoreMigrationPlan.Loss]

    /// One line of text with the versions, the kind of mapping, the method (``way``), the number of
    /// rows and the disk space.
    public var description: String {
      let how = way.map { "\(kind.rawValue), \($0.title)" } ?? "\(kind.rawValue), by objects"
      let rows = rewrittenRows.map { "\($0) rows" } ?? "unknown number of rows"
      let space = bytesNeeded.map { ", \($0) bytes" } ?? ""
      return "\(source) → \(destination): \(how), \(rows)\(space)"
    }
  }

  /// The steps in the order of execution; empty if the store already has the target version.
  public var steps: [Step]

  /// Whether the plan has no steps because the store already has the target version.
  public var isEmpty: Bool { steps.isEmpty }

  /// The data that the steps drop, in the order of the steps; empty if the steps drop no data.
  public var losses: [StoreMigrationPlan.Loss] { steps.flatMap(\.losses) }

  /// A string with one line for each step, followed by one line for each of the step's
  /// ``Step/losses``; a short sentence if there are no steps.
  public var description: String {
    if steps.isEmpty { return "nothing to do" }
    return steps.map { step in
      ([step.description]
        + step.losses.map { loss in
          let place = [loss.entityName, loss.propertyName].compactMap { $0 }.joined(separator: ".")
          return "  lost: \(place) (\(loss.rowCount) rows)"
        }).joined(separator: "\n")
    }.joined(separator: "\n")
  }
}

extension StoreMigrationPlan.Way {
  /// The method in words, for the description of a step.
  fileprivate var title: String {
    switch self {
    case .none: "metadata only"
    case .inPlace: "in place"
    case .copy: "by copy"
    case .expand: "by additions"
    }
  }
}
