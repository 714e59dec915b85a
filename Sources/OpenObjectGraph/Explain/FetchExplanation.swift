/// How a fetch would be executed, in each store and in memory.
///
/// For developers and for tests of a query. The content depends on this library and the installed SQLite, and the wording may differ
/// between versions. An addition; Apple's framework only logs SQL.
///
/// > Concurrency: A value; usable on any thread.
public struct FetchExplanation: Sendable, Hashable, Codable {
  /// A step of a store's plan, with its substeps.
  public struct Step: Sendable, Hashable, Codable {
    /// The store's description, such as `SEARCH t0 USING INDEX …`.
    public let text: String
    /// The nested steps.
    public let steps: [Step]
  }

  /// A full scan, which reads all rows of a table.
  public struct Scan: Sendable, Hashable, Codable {
    /// The table, or the entity if the store has no tables.
    public let name: String
    /// The current number of rows.
    public let rowCount: Int
  }

  /// The work of one store.
  public struct Store: Sendable, Hashable, Codable {
    /// The file's name, or the store type if there is no file.
    public let name: String
    /// The kind of store, such as `NSSQLiteStoreType`.
    public let type: String
    /// The statement without its values; nil for a store without statements.
    public let sql: String?
    /// The values bound to the statement's parameters, in their order; nil unless they were requested.
    ///
    /// These are the values of the request, which may be private: do not log them.
    public let bindings: [String]?
    /// The store's plan; for SQLite the result of `EXPLAIN QUERY PLAN`.
    public let plan: [Step]
    /// The names of the indexes that are used.
    public let indexes: [String]
    /// Tables that are read as a whole.
    public let fullScans: [Scan]
    /// The clauses that use a temporary tree, such as `ORDER BY`.
    public let temporaryTrees: [String]
    /// The number of rows of the entity in this store, which a full scan would visit.
    public let candidateCount: Int
  }

  /// A step that runs in memory, after the stores' work.
  public struct MemoryWork: Sendable, Hashable, Codable {
    /// The kind of work.
    public enum Kind: String, Sendable, Hashable, Codable {
      /// A part of the predicate is tested on each object.
      case predicate
      /// All objects are sorted.
      case sort
    }

    /// The kind of work.
    public let kind: Kind
    /// Work that no store can execute.
    public let reason: String
    /// The part of the predicate; nil for an order, and unless values were requested.
    public let predicate: String?
  }

  /// The entity that is fetched.
  public let entityName: String
  /// The work of each store, in their order.
  public let stores: [Store]
  /// The work in memory, with reasons; empty if the stores execute the whole request.
  public let inMemory: [MemoryWork]
  /// Whether unsaved changes of the context are applied to the results of the stores.
  ///
  /// In this case all objects are created, without limit and offset, even for ids and counts.
  public let includesPendingChanges: Bool
  /// The prefetched relationships, each read with one statement for each store.
  public let prefetchedRelationships: [String]
  /// Suggestions that would make the fetch faster, as sentences.
  public let suggestions: [String]

  /// The number of rows from which on a full scan is a finding.
  static let longestQuietScan = 1000

  /// Possible problems, as sentences: work in memory, and full scans of more than 1,000 rows.
  public var findings: [String] {
    let scans = stores.flatMap(\.fullScans).filter { $0.rowCount > Self.longestQuietScan }
    return scans.map { "All \($0.rowCount) rows of \($0.name) are read." }
      + inMemory.map(\.sentence)
  }
}

extension FetchExplanation.MemoryWork {
  /// The work in a sentence.
  var sentence: String {
    switch kind {
    case .predicate: "A part of the predicate runs in memory for every row: \(reason)."
    case .sort: "All objects are sorted in memory: \(reason)."
    }
  }
}
