public import OpenStoreContract

/// The plan of a migration of a store over one or several model versions.
///
/// An addition: a value, returned by ``StoreMigration/plan(to:via:)``.
public struct MigrationPlan: Sendable, Hashable, CustomStringConvertible {
  /// One step, from one version to a later one.
  public struct Step: Sendable, Hashable, CustomStringConvertible {
    /// The kind of mapping of a step.
    public enum Kind: String, Sendable, Hashable {
      /// By a mapping inferred from names and renaming identifiers.
      case inferred
      /// By a mapping model.
      case mapped
    }

    /// The name of the version before.
    public var source: String
    /// The name of the version after.
    public var destination: String
    /// The kind of mapping.
    public var kind: Kind
    /// The method of the file's migration; nil if a migration manager copies objects to a new store.
    public var way: StoreMigrationPlan.Way?
    /// The reasons why the file must be copied, as sentences.
    public var reasons: [String]
    /// The statements, in their order and without bound values.
    public var statements: [String]
    /// Rows that are written; nil where they are not known before an earlier step has run.
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

  /// The steps in their order; empty for a store of the target version.
  public var steps: [Step]

  /// Whether the store needs no migration.
  public var isEmpty: Bool { steps.isEmpty }

  /// The data that will be lost after all steps.
  public var losses: [StoreMigrationPlan.Loss] { steps.flatMap(\.losses) }

  /// A line for each step, followed by the values that it loses.
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
