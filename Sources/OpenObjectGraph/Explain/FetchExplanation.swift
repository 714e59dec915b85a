/// An explanation of how the stores and the context would execute a fetch.
///
/// Use the explanation for debugging and for testing queries. The content and the wording depend on
/// the versions of this library and of the installed SQLite. Apple's framework only logs SQL.
///
/// This is an addition to Apple's API.
///
/// > Concurrency: A value type; usable on any thread.
public struct FetchExplanation: Sendable, Hashable, Codable {
  /// A step of a store's query plan, including its nested steps.
  public struct Step: Sendable, Hashable, Codable {
    /// The store's description of the step, such as `SEARCH t0 USING INDEX …`.
    public let text: String
    /// The nested steps; empty if the step has none.
    public let steps: [Step]
  }

  /// A full scan, which reads all rows of a table.
  public struct Scan: Sendable, Hashable, Codable {
    /// The name of the table, or of the entity if the store has no tables.
    public let name: String
    /// The number of rows in the table when the fetch was explained.
    public let rowCount: Int
  }

  /// The part of the fetch that one store executes.
  public struct Store: Sendable, Hashable, Codable {
    /// The last path component of the store's URL, or the store type if the store has no URL.
    public let name: String
    /// The store type, such as `NSSQLiteStoreType`.
    public let type: String
    /// The SQL statement without its values; nil if the store does not use SQL.
    public let sql: String?
    /// The values bound to the statement's parameters, in the order of the parameters.
    ///
    /// The property is nil if the explanation was created without `showsBindings`. The bound values
    /// come from the request and may be private. Do not log them.
    public let bindings: [String]?
    /// The store's query plan; for SQLite, the output of `EXPLAIN QUERY PLAN`.
    public let plan: [Step]
    /// The names of the indexes that the plan uses; empty if the plan uses no index.
    public let indexes: [String]
    /// The tables that the plan reads in full; empty if the plan scans no table.
    public let fullScans: [Scan]
    /// The clauses, such as `ORDER BY`, for which the store builds a temporary structure; empty if
    /// there are none.
    public let temporaryTrees: [String]
    /// The number of rows of the fetched entities in this store, before the predicate is applied.
    public let candidateCount: Int
  }

  /// A step that runs in memory after the stores have returned their results.
  public struct MemoryWork: Sendable, Hashable, Codable {
    /// The kinds of work that run in memory.
    public enum Kind: String, Sendable, Hashable, Codable {
      /// Testing a part of the predicate on each object.
      case predicate
      /// Sorting all objects.
      case sort
    }

    /// The kind of work.
    public let kind: Kind
    /// A phrase that names the part of the request that no store can execute, such as "a
    /// comparator".
    public let reason: String
    /// The part of the predicate that is tested in memory.
    ///
    /// The value is nil for a sort, and for every step if the explanation was created
    /// without `showsBindings`.
    public let predicate: String?
  }

  /// The name of the fetched entity.
  public let entityName: String
  /// The parts of the fetch, one for each searched store, in the order in which the coordinator
  /// lists the stores.
  public let stores: [Store]
  /// The work that runs in memory, with reasons; empty if the stores execute the complete request.
  public let inMemory: [MemoryWork]
  /// Whether the fetch applies the context's unsaved changes to the stores' results.
  ///
  /// If true, the fetch creates all matching objects before it applies the limit and the offset,
  /// even if the request asks only for ids or a count.
  public let includesPendingChanges: Bool
  /// The key paths of the prefetched relationships; empty if the fetch does not create objects.
  public let prefetchedRelationships: [String]
  /// Suggestions for a faster fetch, as sentences; empty if the library has no suggestions.
  public let suggestions: [String]

  /// The largest number of rows of a full scan that ``findings`` omits.
  static let longestQuietScan = 1000

  /// Possible problems, as sentences: full scans of more than 1,000 rows, and work in memory; empty
  /// if there are none.
  public var findings: [String] {
    let scans = stores.flatMap(\.fullScans).filter { $0.rowCount > Self.longestQuietScan }
    return scans.map { "All \($0.rowCount) rows of \($0.name) are read." }
      + inMemory.map(\.sentence)
  }
}

extension FetchExplanation.MemoryWork {
  /// A sentence that describes the work.
  var sentence: String {
    switch kind {
    case .predicate:
      "Part of the predicate is evaluated in memory for every row because stores do not support \(reason)."
    case .sort: "All objects are sorted in memory because stores do not support \(reason)."
    }
  }
}
