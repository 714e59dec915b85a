import Foundation
import OpenCoreData
import OpenGrammarTables
import OpenPredicates

/// The outcome of a format in the stores.
struct GrammarOutcome: Sendable {
  /// The result of a store.
  enum Answer: Sendable, Equatable {
    /// The numbers of the found rows.
    case rows([Int])
    /// The code and text of the error.
    case failure(Int, String)

    init(_ body: () throws -> [Int]) {
      do {
        self = .rows(try body())
      } catch {
        let error = error as NSError
        self = .failure(error.code, error.localizedDescription)
      }
    }
  }

  /// The condition of the SQL statement, or the reason that there is none.
  let shape: String
  let inSQLite: Answer
  let inMemory: Answer
  /// The result of a context with unsaved objects.
  let unsaved: Answer
  /// The rows for which the predicate evaluates to true, without a store.
  let evaluated: [Int]
  /// The keys without values, if they explain the difference between evaluation and stores;
  /// otherwise nil.
  let nullRule: String?

  /// Tests a SQLite store, an in-memory store, a context with unsaved rows, and the objects
  /// themselves.
  init(
    of row: GrammarRow, _ sqlite: GrammarStack, _ memory: GrammarStack, _ pending: GrammarStack
  ) throws {
    let predicate = try NSPredicate.parsing(row.format, row.arguments)
    (shape, inSQLite, evaluated) = try sqlite.context.performAndWait {
      let found = Answer { try sqlite.fetched(predicate) }
      if case .failure(let code, let text) = found { return ("error \(code): \(text)", found, []) }
      return (try Self.shape(predicate, sqlite.context), found, sqlite.evaluated(predicate))
    }
    inMemory = memory.context.performAndWait { Answer { try memory.fetched(predicate) } }
    unsaved = pending.context.performAndWait { Answer { try pending.fetched(predicate) } }
    nullRule = Self.nullRule(inSQLite, evaluated, row)
  }

  /// The outcome in the notation of the golden tables.
  ///
  /// The first line is the condition of the SQL statement or the error; the second has the rows that are found,
  /// and what plain evaluation says where that differs.
  var text: String {
    guard case .rows(let found) = inSQLite else { return shape }
    let rows = "\(shape)\n\(Self.list(found))"
    return evaluated == found
      ? rows : "\(rows); evaluated \(Self.list(evaluated)) (null: \(nullRule ?? "-"))"
  }

  /// The condition after `WHERE`, and what runs in memory.
  private static func shape(
    _ predicate: NSPredicate, _ context: NSManagedObjectContext
  ) throws -> String {
    let request = GrammarStack.request(predicate, NSManagedObjectID.self)
    request.resultType = .managedObjectIDResultType
    let explanation = try context.explanation(of: request)
    let sql = explanation.stores.first?.sql ?? ""
    let condition = sql.range(of: " WHERE ").map { String(sql[$0.upperBound...]) }
    let parts =
      [condition].compactMap { $0 } + explanation.inMemory.map { "memory: \($0.reason)" }
    return parts.isEmpty ? "no condition" : parts.joined(separator: " + ")
  }

  private static func list(_ numbers: [Int]) -> String {
    switch numbers.count {
    case 0: "none"
    case GrammarData.rowCount: "all"
    default: numbers.map(String.init).joined(separator: " ")
    }
  }

  // MARK: Nulls

  /// The keys that have no value in the rows, and the literal nil, which SQL's three-valued logic treats otherwise.
  ///
  /// Nil if they do not explain every row in which evaluation and stores differ.
  private static func nullRule(
    _ answer: Answer, _ evaluated: [Int], _ row: GrammarRow
  ) -> String? {
    guard case .rows(let found) = answer else { return nil }
    let rows = Set(evaluated).symmetricDifference(found)
    let keys = names(in: row.tree).filter { key in
      key == "nil" || rows.contains { GrammarData.isNil(key, at: $0 - 1) }
    }
    let isExplained = rows.allSatisfy { number in
      keys.contains { $0 == "nil" || GrammarData.isNil($0, at: number - 1) }
    }
    return isExplained && !rows.isEmpty ? keys.joined(separator: ", ") : nil
  }

  /// The distinct words of a tree, without texts, options and operators that are also names of keys.
  private static func names(in tree: String) -> [String] {
    var words: Set<String> = []
    for (number, part) in tree.split(separator: "'", omittingEmptySubsequences: false).enumerated()
    where number.isMultiple(of: 2) {
      for item in part.split(whereSeparator: { " ().{}".contains($0) }) {
        words.insert(String(item.prefix { $0 != "/" }))
      }
    }
    return words.subtracting(["in", "first"]).sorted()
  }
}

extension GrammarData {
  /// Whether a row has no value for a key of the first level, or members without values.
  static func isNil(_ key: String, at index: Int) -> Bool {
    switch key {
    case "o": inners[index].map { $0.a == nil || $0.s == nil || $0.inner == nil } ?? true
    case "pages":
      pages[index].isEmpty
        || pages[index].contains { $0.n == nil || $0.t == nil || $0.length == nil }
    case "rel": parts[index].isEmpty || parts[index].contains(nil)
    case "children": children[index].isEmpty
    case "author": links[index].author == 0
    case "forum": links[index].forum == 0
    case "metadata": links[index].metadata == 0 || links[index].metadata == 3
    default: columns[key].map { $0[index] == nil } ?? false
    }
  }
}
