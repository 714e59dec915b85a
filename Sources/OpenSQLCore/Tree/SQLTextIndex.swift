import OpenObjectModel

/// A full-text index, which consists of an FTS5 virtual table without a copy of the texts and of
/// triggers that update the virtual table after changes of the indexed table.
package struct SQLTextIndex: Sendable, Hashable {
  /// A statement that creates a part of the index.
  package enum Part: String, Sendable, Hashable, CaseIterable {
    /// The virtual table, or the trigger for one kind of change.
    case table, insert, update, delete
  }

  /// The prefix of all index names. The names of the internal FTS5 tables begin with the name of
  /// the index.
  package static let prefix = "OpenCoreDataText_"
  /// The FTS5 tokenizer. `WordTable` splits texts into the same words.
  static let tokenizer = "unicode61 remove_diacritics 2"

  /// The name of the function that ranks rows in the order of FTS5's `bm25`. Connections register
  /// this function.
  package static let relevance = "ocd_relevance"

  /// The table that is indexed.
  package var table: String
  /// The indexed columns, in the order of the index.
  package var columns: [String]
  /// The lengths of the word prefixes that are also indexed, ascending; empty if only whole words
  /// are indexed.
  package var prefixLengths: [Int]

  /// Creates a full-text index.
  ///
  /// - Parameters:
  ///   - table: The table that is indexed.
  ///   - columns: The indexed columns, in the order of the index.
  ///   - prefixLengths: The lengths of the word prefixes that are also indexed, ascending; empty to
  ///     index only whole words.
  package init(on table: String, _ columns: [String], prefixLengths: [Int] = []) {
    self.table = table
    self.columns = columns
    self.prefixLengths = prefixLengths
  }

  /// Returns the prefix lengths in the statement that created a virtual table; empty if there are
  /// none. In the statement, the prefix lengths are the last option.
  package static func prefixLengths(in statement: String) -> [Int] {
    guard statement.hasSuffix("')"), let option = statement.ranges(of: ", prefix='").last else {
      return []
    }
    return statement[option.upperBound...].dropLast(2).split(separator: " ")
      .compactMap { Int($0) }
  }

  /// The name of the virtual table.
  package var name: String { Self.prefix + table }

  /// Returns the name of a part: the name of the virtual table if the part is `.table`, otherwise
  /// the name of the trigger.
  package func name(of part: Part) -> String {
    part == .table ? name : name + "_" + part.rawValue.uppercased()
  }

  /// The names of the tables that FTS5 creates for the index, in uppercase. SQLite ignores the case
  /// of names.
  fileprivate var internalNames: [String] {
    ["_CONFIG", "_DATA", "_DOCSIZE", "_IDX"].map { name.uppercased() + $0 }
  }

  /// Returns the columns to which a search must be restricted; nil if the given columns are all
  /// columns of the index.
  package func restriction(to columns: [String]) -> [String]? {
    Set(columns) == Set(self.columns) ? nil : columns
  }

  /// The statements that create the empty index and its triggers.
  package var statements: [SQLStatement] {
    Part.allCases.map { .createTextIndex(self, $0) }
  }

  /// Returns the statement that runs an FTS5 command on the index.
  package func command(_ command: Command) -> SQLStatement {
    let values: [(String, SQLExpression)] = [(name, .text(command.rawValue))]
    // With a rank, the check reads the rows too.
    return .insert(
      SQLInsert(
        into: name, command == .check ? values + [("rank", .integer(1))] : values))
  }

  /// A command of FTS5.
  package enum Command: String, Sendable {
    /// Fills the index from the rows of the table.
    case rebuild
    /// Compares the index with the rows of the table, and fails if the index differs from the rows.
    case check = "integrity-check"
  }
}

extension SchemaMap {
  /// The text indexes of all searched attributes, one for each table with such attributes. A table
  /// has no index if the name of the index is the name of a table that FTS5 creates for another
  /// index.
  package var textIndexes: [SQLTextIndex] {
    let indexes = searchedTables
    let used = Set(indexes.flatMap(\.internalNames))
    return indexes.filter { !used.contains($0.name.uppercased()) }
  }

  private var searchedTables: [SQLTextIndex] {
    entities.filter { $0.entity.superIndex == nil }.compactMap { root in
      var attributes: [Int: [Int]] = [:]
      var lengths: Set<Int> = []
      for index in root.tableEntities {
        let entity = model.entities[index]
        attributes[index] = entity.searchedAttributes
        lengths.formUnion(
          entity.searchedAttributes.flatMap { entity.properties[$0].textPrefixLengths })
      }
      let columns = columns(of: attributes)
      return columns.isEmpty
        ? nil : SQLTextIndex(on: root.table, columns, prefixLengths: lengths.sorted())
    }
  }
}
