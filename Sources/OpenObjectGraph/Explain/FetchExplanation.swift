/// How a fetch would be carried out: by each store, and in memory.
///
/// For people, and for tests that guard a query: the facts are those of this library and of the SQLite at hand,
/// and their words may differ between versions. An addition; Apple's framework logs SQL at best.
///
/// > Concurrency: A value; usable on any thread.
public struct FetchExplanation: Sendable, Hashable, Codable {
  /// A step of a store's plan, with the steps that it is made of.
  public struct Step: Sendable, Hashable, Codable {
    /// The store's own words, such as `SEARCH t0 USING INDEX …`.
    public let text: String
    /// The steps within.
    public let steps: [Step]
  }

  /// Rows that are read from the first to the last.
  public struct Scan: Sendable, Hashable, Codable {
    /// The table, or the entity where the store has no tables.
    public let name: String
    /// Number of its rows now.
    public let rowCount: Int
  }

  /// What one store does.
  public struct Store: Sendable, Hashable, Codable {
    /// The file's name, or the kind of store for one without a file.
    public let name: String
    /// The kind of store, such as `NSSQLiteStoreType`.
    public let type: String
    /// The statement without its values; nil for a store that has none.
    public let sql: String?
    /// What is bound to the statement's parameters, in their order; nil unless it was asked for.
    ///
    /// These are the values of the request, which may be private: keep them out of logs.
    public let bindings: [String]?
    /// The store's plan; for SQLite what `EXPLAIN QUERY PLAN` says.
    public let plan: [Step]
    /// Names of the indexes that are used.
    public let indexes: [String]
    /// Tables that are read as a whole.
    public let fullScans: [Scan]
    /// What is sorted or grouped in a temporary tree, such as `ORDER BY`.
    public let temporaryTrees: [String]
    /// Rows of the entity in this store: what a full scan would visit.
    public let candidateCount: Int
  }

  /// Something that happens in memory, after the stores' part.
  public struct MemoryWork: Sendable, Hashable, Codable {
    /// What kind of work it is.
    public enum Kind: String, Sendable, Hashable, Codable {
      /// A part of the predicate is tested on each object.
      case predicate
      /// All objects are sorted.
      case sort
    }

    /// What kind of work it is.
    public let kind: Kind
    /// What no store can carry out.
    public let reason: String
    /// The part of the predicate; nil for an order, and unless values were asked for.
    public let predicate: String?
  }

  /// The entity that is fetched.
  public let entityName: String
  /// What each store does, in the order in which they are asked.
  public let stores: [Store]
  /// What runs in memory, and why; empty when the stores do everything.
  public let inMemory: [MemoryWork]
  /// Whether unsaved changes of the context are laid over what the stores return.
  ///
  /// Then all objects are made, without limit and offset, even for ids and counts.
  public let includesPendingChanges: Bool
  /// Relationships that are read along, with a statement each for every store.
  public let prefetchedRelationships: [String]
  /// What would make the fetch faster, in sentences.
  public let suggestions: [String]

  /// Number of rows from which on a full scan is a finding.
  static let longestQuietScan = 1000

  /// What is worth a look: work in memory, and full scans of more than 1,000 rows. In sentences.
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
