import Foundation
import OpenCoreData
import OpenTestSupport
import Testing

/// The statement for each form of predicate; no statement contains user text.
@Suite("Statements of predicates")
struct TranslatedStatementTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var entity: String
    var format: String
    var arguments: [any Sendable]
    /// The part of the statement after `SELECT … FROM … AS t0`.
    var statement: String

    init(_ entity: String, _ format: String, _ arguments: [any Sendable], _ statement: String) {
      (self.entity, self.format, self.arguments, self.statement) =
        (entity, format, arguments, statement)
    }

    var testDescription: String { format }
  }

  static let rows: [Row] = [
    Row(
      "Item", "rank == 1", [],
      " WHERE t0.ZRANK = ?"),
    Row(
      "Item", "rank != %@", [1],
      " WHERE t0.ZRANK <> ?"),
    Row(
      "Item", "%@ < rank", [1],
      " WHERE ? < t0.ZRANK"),
    Row(
      "Item", "rank <= 2 AND price >= 1.5", [],
      " WHERE t0.ZRANK <= ? AND t0.ZPRICE >= ?"),
    Row(
      "Item", "rank == 1 OR NOT (rank == 2)", [],
      " WHERE t0.ZRANK = ? OR NOT (t0.ZRANK = ?)"),
    Row(
      "Item", "TRUEPREDICATE", [],
      ""),
    Row(
      "Item", "FALSEPREDICATE", [],
      " WHERE 0"),
    Row(
      "Item", "name == nil", [],
      " WHERE t0.ZNAME IS NULL"),
    Row(
      "Item", "owner != nil", [],
      " WHERE NOT (t0.ZOWNER IS NULL)"),
    Row(
      "Item", "name == %@", ["x'); DROP TABLE ZITEM"],
      " WHERE t0.ZNAME = ?"),
    Row(
      "Item", "isSold == YES", [],
      " WHERE t0.ZISSOLD = ?"),
    Row(
      "Item", "name IN %@", [["a", "b"]],
      " WHERE t0.ZNAME IN (?, ?)"),
    Row(
      "Item", "name IN %@", [[String]()],
      " WHERE t0.ZNAME <> t0.ZNAME"),
    Row(
      "Item", "rank IN {1, nil, 2}", [],
      " WHERE t0.ZRANK = ? OR t0.ZRANK = ?"),
    Row(
      "Item", "NOT (rank IN {})", [],
      " WHERE NOT (t0.ZRANK <> t0.ZRANK)"),
    Row(
      "Item", "rank BETWEEN {1, 3}", [],
      " WHERE t0.ZRANK BETWEEN ? AND ?"),
    Row(
      "Item", "rank BETWEEN %@", [[1, 3]],
      " WHERE t0.ZRANK BETWEEN ? AND ?"),
    Row(
      "Item", "name CONTAINS %@", ["x'); DROP TABLE ZITEM"],
      " WHERE ocd_contains(t0.ZNAME, ?, 0)"),
    Row(
      "Item", "name CONTAINS[cd] %@", ["a"],
      " WHERE ocd_contains(t0.ZNAME, ?, 3)"),
    Row(
      "Item", "name BEGINSWITH %@", ["a"],
      " WHERE t0.ZNAME >= ? AND t0.ZNAME < ?"),
    Row(
      "Item", "name BEGINSWITH[c] %@", ["a"],
      " WHERE ocd_prefix(t0.ZNAME, ?, 1)"),
    Row(
      "Item", "name ENDSWITH[d] %@", ["a"],
      " WHERE ocd_suffix(t0.ZNAME, ?, 2)"),
    Row(
      "Item", "name LIKE %@", ["a*"],
      " WHERE ocd_like(t0.ZNAME, ?, 0)"),
    Row(
      "Item", "name MATCHES[c] %@", ["a.*"],
      " WHERE ocd_matches(t0.ZNAME, ?, 1)"),
    Row(
      "Item", "name ==[c] %@", ["a"],
      " WHERE ocd_equals(t0.ZNAME, ?, 1)"),
    Row(
      "Item", "name <[cd] %@", ["a"],
      " WHERE ocd_compare(t0.ZNAME, ?, 3) < 0"),
    Row(
      "Item", "owner.name == %@", ["a"],
      " LEFT OUTER JOIN ZOWNER AS t1 ON t0.ZOWNER = t1.Z_PK WHERE t1.ZNAME = ?"),
    Row(
      "Item", "name == owner.name", [],
      " LEFT OUTER JOIN ZOWNER AS t1 ON t0.ZOWNER = t1.Z_PK WHERE t0.ZNAME = t1.ZNAME"),
    Row(
      "Item", "owner.items.@count > 1", [],
      " WHERE (SELECT COUNT(*) FROM ZITEM AS t1 WHERE t1.ZOWNER = t0.ZOWNER) > ?"),
    Row(
      "Owner", "ANY items.price > 2", [],
      " WHERE EXISTS (SELECT 1 FROM ZITEM AS t1 WHERE t1.ZOWNER = t0.Z_PK AND t1.ZPRICE > ?)"),
    Row(
      "Owner", "ALL items.price > 2", [],
      " WHERE NOT (EXISTS (SELECT 1 FROM ZITEM AS t1 WHERE t1.ZOWNER = t0.Z_PK AND NOT ((t1.ZPRICE > ?) IS TRUE)))"
    ),
    Row(
      "Owner", "NONE items.name == %@", ["a"],
      " WHERE NOT (EXISTS (SELECT 1 FROM ZITEM AS t1 WHERE t1.ZOWNER = t0.Z_PK AND t1.ZNAME = ?))"),
    Row(
      "Owner", "ANY items.owner.items.rank == 1", [],
      " WHERE EXISTS (SELECT 1 FROM ZITEM AS t1 WHERE t1.ZOWNER = t0.Z_PK AND EXISTS (SELECT 1 FROM ZITEM AS t2 WHERE t2.ZOWNER = t1.ZOWNER AND t2.ZRANK = ?))"
    ),
    Row(
      "Owner", "items.@count == 0", [],
      " WHERE (SELECT COUNT(*) FROM ZITEM AS t1 WHERE t1.ZOWNER = t0.Z_PK) = ?"),
    Row(
      "Owner", "items.@sum.price > 2", [],
      " WHERE (SELECT SUM(t1.ZPRICE) FROM ZITEM AS t1 WHERE t1.ZOWNER = t0.Z_PK) > ?"),
    Row(
      "Owner", "items.@avg.price > 2", [],
      " WHERE (SELECT AVG(t1.ZPRICE) FROM ZITEM AS t1 WHERE t1.ZOWNER = t0.Z_PK) > ?"),
    Row(
      "Owner", "items.@min.price > 2", [],
      " WHERE (SELECT MIN(t1.ZPRICE) FROM ZITEM AS t1 WHERE t1.ZOWNER = t0.Z_PK) > ?"),
    Row(
      "Owner", "items.@max.price > 2", [],
      " WHERE (SELECT MAX(t1.ZPRICE) FROM ZITEM AS t1 WHERE t1.ZOWNER = t0.Z_PK) > ?"),
    Row(
      "Owner", "SUBQUERY(items, $i, $i.price > 1 AND $i.name == name).@count > 1", [],
      " WHERE (SELECT COUNT(*) FROM ZITEM AS t1 WHERE t1.ZOWNER = t0.Z_PK AND (t1.ZPRICE > ? AND t1.ZNAME = t0.ZNAME)) > ?"
    ),
    Row(
      "Owner", "%@ IN items.name", ["a"],
      " WHERE EXISTS (SELECT 1 FROM ZITEM AS t1 WHERE t1.ZOWNER = t0.Z_PK AND t1.ZNAME = ?)"),
    Row(
      "Item", "price + 1 > 2 * price - 3 / price", [],
      " WHERE (t0.ZPRICE + ?) > ((? * t0.ZPRICE) - (? / t0.ZPRICE))"),
    Row(
      "Item", "modulus:by:(rank, 2) == 1", [],
      " WHERE ocd_value('modulus:by:', t0.ZRANK, ?) = ?"),
    Row(
      "Item", "bitwiseAnd:with:(rank, 6) == 2", [],
      " WHERE (t0.ZRANK & ?) = ?"),
    Row(
      "Item", "abs:(price) > 1", [],
      " WHERE ocd_value('abs:', t0.ZPRICE) > ?"),
    Row(
      "Item", "length:(name) > 1", [],
      " WHERE ocd_value('length:', t0.ZNAME) > ?"),
    Row(
      "Item", "name.length > 1", [],
      " WHERE ocd_value('length:', t0.ZNAME) > ?"),
    Row(
      "Item", "uppercase:(name) == %@", ["A"],
      " WHERE ocd_uppercase(t0.ZNAME) = ?"),
    Row(
      "Item", "lowercase:(name) == %@", ["a"],
      " WHERE ocd_lowercase(t0.ZNAME) = ?"),
    Row(
      "Item", "canonical:(name) == %@", ["a"],
      " WHERE ocd_canonical(t0.ZNAME) = ?"),
    Row(
      "Item", "noindex:(rank) == 1", [],
      " WHERE +t0.ZRANK = ?"),
    Row(
      "Item", "indexed:by:(rank, 'byRank') == 1", [],
      " WHERE t0.ZRANK = ?"),
    Row(
      "Item", #"CAST(price, "NSNumber") > 1"#, [],
      " WHERE t0.ZPRICE > ?"),
    Row(
      "Item", "TERNARY(isSold == YES, price, 0) > 1", [],
      " WHERE CASE WHEN t0.ZISSOLD = ? THEN t0.ZPRICE ELSE ? END > ?"),
    Row(
      "SpecialItem", "reason == nil", [],
      " WHERE t0.Z_ENT = 2 AND t0.ZREASON IS NULL"),
    Row(
      "Item", "owner IN SUBQUERY(owner.items, $i, $i.rank == 1).owner", [],
      " WHERE EXISTS (SELECT 1 FROM ZITEM AS t1 WHERE t1.ZOWNER = t0.ZOWNER AND (t1.ZRANK = ? AND t1.ZOWNER = t0.ZOWNER))"
    ),
  ]

  @Test("each predicate is translated to the expected statement", arguments: rows)
  func statement(row: Row) throws {
    let recorder = StatementRecorder()
    let context = try Self.context(recorder)
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: row.entity)
      request.predicate = NSPredicate(format: row.format, argumentArray: row.arguments)
      request.allowsEvaluationInMemory = false
      let (_, statements) = try recorder.recording { try context.count(for: request) }
      let statement = try #require(statements.last)
      let tail = statement.components(separatedBy: " AS t0").dropFirst().joined(separator: " AS t0")
      #expect(tail == row.statement)
      #expect(!statement.contains("DROP"))
    }
  }

  @Test("a fetch can use the key length of a string", arguments: FetchingModel.stores)
  func lengths(type: String) throws {
    try FetchingStack(type).run { stack throws in
      stack.insert("Item", ["name": "fgh", "rank": 9])
      #expect(try stack.names(FetchingStack.request("name.length > 1")) == "fgh")
      #expect(try stack.names(FetchingStack.request("owner.name.length == 3")) == "cd")
      let owners = FetchingStack.request("ANY items.name.length == 1", entity: "Owner")
      #expect(try stack.names(owners) == "abob")
    }
  }

  @Test(
    "in a fetch, an AND of no conditions is true, and an OR of none is false",
    arguments: FetchingModel.stores)
  func emptyCompounds(type: String) throws {
    try FetchingStack(type).run { stack throws in
      let all = NSCompoundPredicate(andPredicateWithSubpredicates: [])
      let none = NSCompoundPredicate(orPredicateWithSubpredicates: [])
      let cases: [(predicate: NSPredicate, names: String)] = [
        (all, "abcde"), (none, ""),
        (NSCompoundPredicate(notPredicateWithSubpredicate: none), "abcde"),
        (NSCompoundPredicate(andPredicateWithSubpredicates: [all, none]), ""),
      ]
      for (predicate, names) in cases {
        let request = FetchingStack.request()
        request.predicate = predicate
        #expect(try stack.names(request) == names, "\(predicate)")
        #expect(try stack.context.count(for: request) == names.count)
      }
    }
  }

  private static func context(_ recorder: StatementRecorder) throws -> NSManagedObjectContext {
    let description = NSPersistentStoreDescription(type: NSSQLiteStoreType)
    description.setOption(recorder.observer, forKey: OpenStatementObserverOption)
    return try NSPersistentContainer.loaded("Shop", FetchingModel.make(), [description])
      .newBackgroundContext()
  }
}
