public import OpenStoreContract

/// The plan of a store's migration across one or several model versions.
///
/// ``StoreMigration/plan(to:via:)`` returns a plan. This is an addition to Apple's API.
public struct MigrationPlan: Sendable, Hashable, CustomStringConvertible {
  /// A step of a migration, from one model version to a later version.
  public struct Step: Sendable, Hashable, CustomStringConvertible {
    /// The kinds of mapping that a step uses.
    public enum Kind: String, Sendable, Hashable {
      /// The mapping is inferred from names and renaming identifiers.
      case inferred
      /// The mapping is a mapping model.
      case mapped
    }

    /// The name of the model version before the step.
    public var source: String
    /// The name of the model version after the step.
    public var destination: String
    /// The kind of mapping that the step uses.
    public var kind: Kind
    /// The method that migrates the file; nil if a migration manager copies objects to a new store.
    public var way: StoreMigrationPlan.Way?
    /// The reasons why the file must be copied, as sentences.
    public var reasons: [String]
    /// The SQL statements in the order of execution, without bound values.
    public var statements: [String]
    /// The number of rows that are written; nil if the number is unknown before an earlier step has
    /// run.
    public var rewrittenRows: Int?
    /// The additional disk space in bytes; nil if it is unknown before an earlier step has run.
    public var bytesNeeded: Int64?
    /// The data that will be lost; the row counts are those of the current store.
    public var losses: [StoreMigrationPlan.Loss]

    /// One line with the versions, the method and the kind of mapping.
    public var description: String {
      let how = way.map { "\(kind.rawValue), \($0.title)" } ?? "\(kind.rawValue), by objects"
      let rows = rewrittenRows.map { "\($0) rows" } ?? "rows not known yet"
      let space = bytesNeeded.map { ", \($0) bytes" } ?? ""
      return "\(source) → \(destination): \(how), \(rows)\(space)"
    }
  }

  /// The steps in the order of execution; empty if the store already has the target version.
  public var steps: [Step]

  /// Whether the store needs no migration.
  public var isEmpty: Bool { steps.isEmpty }

  /// The data that will be lost, over all steps.
  public var losses: [StoreMigrationPlan.Loss] { steps.flatMap(\.losses) }

  /// A text with one line for each step, followed by the values that the step loses.
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
  /// The method in words, for descriptions.
  fileprivate var title: String {
    switch self {
    case .none: "metadata only"
    case .inPlace: "in place"
    case .copy: "by copy"
    case .expand: "by additions"
    }
  }
}
