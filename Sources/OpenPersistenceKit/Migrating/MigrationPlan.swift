public import OpenStoreContract

/// What a migration of a store over one or several versions of its model will do.
///
/// An addition: a value of plain facts, made by ``StoreMigration/plan()``.
public struct MigrationPlan: Sendable, Hashable, CustomStringConvertible {
  /// One step, from one version to a later one.
  public struct Step: Sendable, Hashable, CustomStringConvertible {
    /// How the objects of a step become others.
    public enum Kind: String, Sendable, Hashable {
      /// By a mapping that follows from names and renaming identifiers.
      case inferred
      /// By a mapping model.
      case mapped
    }

    /// The name of the version before.
    public var source: String
    /// The name of the version after.
    public var destination: String
    /// How the objects become others.
    public var kind: Kind
    /// What is done to the file; nil when objects are brought over one by one into a new store.
    public var way: StoreMigrationPlan.Way?
    /// Why the file has to be copied, as sentences.
    public var reasons: [String]
    /// The statements, in their order and without bound values.
    public var statements: [String]
    /// Rows that are written; nil where they are not known before an earlier step has run.
    public var rewrittenRows: Int?
    /// Bytes that are needed beside the file; nil where they are not known before an earlier step has run.
    public var bytesNeeded: Int64?
    /// What is gone for ever; the counts of rows are those of the store as it is.
    public var losses: [StoreMigrationPlan.Loss]

    /// One line: the versions, how and what.
    public var description: String {
      let how = way.map { "\(kind.rawValue), \($0.title)" } ?? "\(kind.rawValue), by objects"
      let rows = rewrittenRows.map { "\($0) rows" } ?? "rows not known yet"
      let space = bytesNeeded.map { ", \($0) bytes" } ?? ""
      return "\(source) → \(destination): \(how), \(rows)\(space)"
    }
  }

  /// The steps in their order; none for a store of the wanted version.
  public var steps: [Step]

  /// Whether nothing has to be done.
  public var isEmpty: Bool { steps.isEmpty }

  /// What is gone for ever after all steps.
  public var losses: [StoreMigrationPlan.Loss] { steps.flatMap(\.losses) }

  /// A line for each step, and below it what is lost.
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
  /// Words for people.
  fileprivate var title: String {
    switch self {
    case .none: "metadata only"
    case .inPlace: "in place"
    case .copy: "by copy"
    }
  }
}
