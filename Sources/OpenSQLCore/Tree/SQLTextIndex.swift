import OpenObjectModel

/// A full-text index: a virtual table of FTS5 without a copy of the texts, and triggers that follow the indexed table.
package struct SQLTextIndex: Sendable, Hashable {
  /// A statement that the index is made with.
  package enum Part: String, Sendable, Hashable, CaseIterable {
    case table, insert, update, delete
  }

  /// What the names of all indexes begin with; tables with their words have names that begin with that of the index.
  package static let prefix = "OpenCoreDataText_"
  /// How texts are taken apart; `WordTable` has the same words.
  static let tokenizer = "unicode61 remove_diacritics 2"

  /// The function that ranks rows, in the order of FTS5's `bm25`; connections register it.
  package static let relevance = "ocd_relevance"

  /// The table that is indexed.
  package var table: String
  /// Its columns, in the order of the index.
  package var columns: [String]
  /// The lengths of word prefixes that it also indexes, ascending.
  package var prefixLengths: [Int]

  /// Creates an index.
  package init(on table: String, _ columns: [String], prefixLengths: [Int] = []) {
    self.table = table
    self.columns = columns
    self.prefixLengths = prefixLengths
  }

  /// The lengths of beginnings that a table's statement asks for; the renderer writes them last.
  package static func prefixLengths(in statement: String) -> [Int] {
    guard statement.hasSuffix("')"), let option = statement.ranges(of: ", prefix='").last else {
      return []
    }
    return statement[option.upperBound...].dropLast(2).split(separator: " ")
      .compactMap { Int($0) }
  }

  /// The name of the virtual table.
  package var name: String { Self.prefix + table }

  /// The name of a trigger; that of the virtual table for the table itself.
  package func name(of part: Part) -> String {
    part == .table ? name : name + "_" + part.rawValue.uppercased()
  }

  /// The columns to restrict a search to; nil for all that the index has.
  package func restriction(to columns: [String]) -> [String]? {
    Set(columns) == Set(self.columns) ? nil : columns
  }

  /// The statements that make the index, empty and with its triggers.
  package var statements: [SQLStatement] {
    Part.allCases.map { .createTextIndex(self, $0) }
  }

  /// A statement that has FTS5 do something with the index.
  package func command(_ command: Command) -> SQLStatement {
    let values: [(String, SQLExpression)] = [(name, .text(command.rawValue))]
    // With a rank, the check reads the rows too.
    return .insert(
      SQLInsert(
        into: name, command == .check ? values + [("rank", .integer(1))] : values))
  }

  /// What FTS5 can do with an index.
  package enum Command: String, Sendable {
    /// Fills it from the rows.
    case rebuild
    /// Compares it with the rows, and fails where they do not agree.
    case check = "integrity-check"
  }
}

extension SchemaMap {
  /// The indexes of all searched attributes, one for each table that has any.
  package var textIndexes: [SQLTextIndex] {
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
