import Foundation
import OpenObjectModel
import OpenSQLiteStore
import OpenStoreConformance
import OpenStoreContract
import Synchronization
import Testing

@Suite("Rows of history in a file")
struct HistoryRowTests {
  private func history(_ store: SQLiteStore) throws -> any StoreHistory {
    try #require(store.history)
  }

  private func open(_ shop: Shop) throws -> SQLiteStore {
    try shop.open { $0.tracksHistory = true }
  }

  @Test("a new store has the tables and last keys of history")
  func newStore() throws {
    let shop = try Shop()
    try open(shop).close()
    let tables = try shop.sqlite(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'A%' ORDER BY name")
    #expect(tables == ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"])
    #expect(
      try shop.sqlite("SELECT * FROM Z_PRIMARYKEY WHERE Z_ENT > 16000") == [
        "16001|CHANGE|0|0", "16002|TRANSACTION|0|0", "16003|TRANSACTIONSTRING|0|0",
      ])
    let second = try open(shop)
    defer { second.close() }
    #expect(shop.takeStatements().filter { $0.hasPrefix("CREATE TABLE ACHANGE") }.count == 1)
  }

  @Test("a commit writes its rows as Apple's framework does, texts once each")
  func rows() throws {
    let shop = try Shop()
    let store = try open(shop)
    let product = try shop.entity()
    let slot = try shop.slot("code")
    for code in ["a", "b"] {
      _ = try store.commit(reserving: [product.index: 1]) { keys in
        var writer = RowWriter()
        var changes = ChangeSet()
        changes.origin = ChangeOrigin(
          author: "it's", contextName: code == "a" ? nil : "it's", bundleID: "b", processID: "p")
        changes.inserted = [
          writer.row(
            of: product, key: keys[product.index] ?? 0, version: 1, over: nil,
            values: [SlotValue(slot: slot, content: .text(code))])
        ]
        return changes
      }
    }
    store.close()
    #expect(
      try shop.sqlite("SELECT Z_PK, Z_ENT, Z_OPT, ZNAME FROM ATRANSACTIONSTRING") == [
        "1|16003|NULL|it's", "2|16003|NULL|b", "3|16003|NULL|p",
      ])
    #expect(
      try shop.sqlite(
        """
        SELECT Z_PK, Z_ENT, Z_OPT, ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZPROCESSIDTS, ZAUTHOR,
        ZBUNDLEID, ZCONTEXTNAME, ZPROCESSID, ZQUERYGEN, typeof(ZTIMESTAMP) FROM ATRANSACTION
        """) == [
          "1|16002|NULL|1|2|NULL|3|NULL|NULL|NULL|NULL|NULL|real",
          "2|16002|NULL|1|2|1|3|NULL|NULL|NULL|NULL|NULL|real",
        ])
    #expect(
      try shop.sqlite("SELECT * FROM ACHANGE") == [
        "1|16001|NULL|0|1|1|1|NULL", "2|16001|NULL|0|1|2|2|NULL",
      ])
    #expect(
      try shop.sqlite("SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000") == [
        "16001|2", "16002|2", "16003|3",
      ])
  }

  @Test(
    "updates have the mask of their properties: to-one, attributes, to-many, the high bit first")
  func masks() throws {
    let shop = try Shop()
    let store = try open(shop)
    let rows = try shop.insert(["a"], into: store)
    let change = try shop.update(rows[0], code: "b")
    _ = try store.commit(reserving: [:]) { _ in
      var changes = ChangeSet()
      changes.updated = [change]
      return changes
    }
    let found = try history(store).transactions(HistoryQuery(.transaction(1)))
    let code = try #require(try shop.entity().ordinal(of: "code"))
    #expect(found.first?.changes.first?.updated == OrdinalSet([code]))
    store.close()
    #expect(
      try shop.sqlite("SELECT ZCHANGETYPE, hex(ZCOLUMNS) FROM ACHANGE WHERE Z_PK = 2") == ["1|80"])
  }

  @Test("changes that differ only in their keys are recorded by at most two statements")
  func alike() throws {
    let shop = try Shop()
    let store = try open(shop)
    let rows = try shop.insert((1...43).map { "code \($0)" }, into: store)
    #expect(recordings(shop) == 2)
    let updates = try rows.prefix(21).map { try shop.update($0, code: "other \($0.key)") }
    _ = try store.commit(reserving: [:]) { _ in
      var changes = ChangeSet()
      changes.updated = updates
      changes.deleted = rows.suffix(2).map {
        let id = ObjectKey(entityIndex: $0.entityIndex, key: $0.key)
        return ChangeSet.Deletion(id: id, expectedVersion: $0.version)
      }
      return changes
    }
    #expect(recordings(shop) == 3)
    store.close()
    let inserted = (1...43).map { "\($0)|0|1|\($0)|1|NULL" }
    let updated = (1...21).map { "\(43 + $0)|1|1|\($0)|2|'80'" }
    let deleted = (1...2).map { "\(64 + $0)|2|1|\(41 + $0)|2|NULL" }
    #expect(
      try shop.sqlite(
        """
        SELECT Z_PK, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID,
        CASE WHEN ZCOLUMNS IS NOT NULL THEN quote(hex(ZCOLUMNS)) END FROM ACHANGE ORDER BY Z_PK
        """) == inserted + updated + deleted)
  }

  /// Number of the statements since the last call that recorded changes.
  private func recordings(_ shop: Shop) -> Int {
    shop.takeStatements().count { $0.hasPrefix("INSERT INTO ACHANGE") }
  }

  @Test("numbers continue from the greatest stored number, regardless of the last key")
  func numbering() throws {
    let shop = try Shop()
    try open(shop).close()
    try shop.execute(
      """
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, ZAUTHOR) VALUES (41, 16002, 5.5, 'old');
      INSERT INTO ACHANGE VALUES (99, 16001, NULL, 0, 1, 1, 41, NULL);
      """)
    let store = try open(shop)
    defer { store.close() }
    _ = try shop.insert(["a"], into: store)
    let all = try history(store).transactions(HistoryQuery(.beginning))
    #expect(all.map(\.number) == [41, 42])
    #expect(all.map { $0.changes.map(\.number) } == [[99], [100]])
    #expect(all[0].origin.author == "old" && all[0].timestamp == 5.5)
  }

  @Test("numbers follow the last key, even if later changes were deleted")
  func numberingOverGap() throws {
    let shop = try Shop()
    try open(shop).close()
    try shop.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 500 WHERE Z_ENT = 16001")
    let store = try open(shop)
    defer { store.close() }
    _ = try shop.insert(["a", "b", "c"], into: store)
    let all = try history(store).transactions(HistoryQuery(.beginning))
    #expect(all.map { $0.changes.map(\.number) } == [[501, 502, 503]])
  }

  @Test("tables of an older layout get the columns that they lack")
  func olderLayout() throws {
    let shop = try Shop()
    try open(shop).close()
    try shop.execute(
      """
      DROP TABLE ATRANSACTIONSTRING; DROP TABLE ATRANSACTION;
      DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 16003;
      CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
      ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR,
      ZPROCESSID VARCHAR, ZQUERYGEN BLOB);
      INSERT INTO ATRANSACTION VALUES (1, 16002, NULL, 1.5, 'a', 'b', 'c', 'd', NULL);
      """)
    let store = try open(shop)
    defer { store.close() }
    _ = try shop.insert(["a"], into: store)
    let all = try history(store).transactions(HistoryQuery(.beginning))
    #expect(all.map(\.number) == [1, 2])
    #expect(
      all[0].origin
        == ChangeOrigin(author: "a", contextName: "c", bundleID: "b", processID: "d"))
  }

  @Test("invalid rows are left out, and damaged numbers are errors")
  func damage() throws {
    let shop = try Shop()
    let first = try open(shop)
    _ = try shop.insert(["a"], into: first)
    first.close()
    try shop.execute(
      """
      INSERT INTO ACHANGE VALUES (10, 16001, NULL, 9, 1, 1, 1, NULL);
      INSERT INTO ACHANGE VALUES (11, 16001, NULL, 1, 77, 1, 1, NULL);
      INSERT INTO ACHANGE VALUES (12, 16001, NULL, 1, -5, 1, 1, NULL);
      INSERT INTO ACHANGE VALUES (13, 16001, NULL, 1, 1, 1, 1, x'FFFFFFFFFFFFFFFFFFFF');
      INSERT INTO ACHANGE VALUES (14, 16001, NULL, 1, 1, 1, 1, 'text');
      INSERT INTO ACHANGE VALUES (15, 16001, NULL, 0, 1, 1, 8, NULL);
      """)
    let store = try open(shop)
    let found = try history(store).transactions(HistoryQuery(.beginning))
    #expect(found.map(\.number) == [1])
    #expect(found[0].changes.map(\.number) == [1, 13, 14])
    #expect(found[0].changes[1].updated.count == 3)
    store.close()
    for last in ["9223372036854775807", "'x'", "-9223372036854775808", "1e300"] {
      try shop.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(last) WHERE Z_ENT = 16002")
      let damaged = try open(shop)
      do {
        _ = try shop.insert(["b\(last)"], into: damaged)
      } catch let error as StoreError {
        #expect([.corrupt, .statement, .constraintConflict].contains(error.code))
      }
      _ = try history(damaged).bounds()
      damaged.close()
    }
  }

  @Test("the transactions of a result have their changes although another store deletes them")
  func deletionDuringRead() throws {
    let shop = try Shop()
    let writer = try open(shop)
    defer { writer.close() }
    for code in ["a", "b"] { _ = try shop.insert([code], into: writer) }
    let isDeleted = Atomic<Bool>(false)
    let reader = try shop.open { configuration in
      configuration.tracksHistory = true
      configuration.statementObserver = { sql in
        guard sql.contains("FROM ACHANGE WHERE ZTRANSACTIONID BETWEEN"),
          !isDeleted.exchange(true, ordering: .sequentiallyConsistent)
        else { return }
        do { _ = try writer.history?.delete(before: .transaction(3)) } catch { Issue.record(error) }
      }
    }
    defer { reader.close() }
    let during = try history(reader).transactions(HistoryQuery(.beginning))
    #expect(during.map(\.changes.count) == [1, 1])
    let afterwards = try history(reader).transactions(HistoryQuery(.beginning))
    #expect(afterwards.isEmpty)
  }

  @Test("a read-only store returns its history and does not change it")
  func readOnly() throws {
    let shop = try Shop()
    let store = try open(shop)
    _ = try shop.insert(["a"], into: store)
    store.close()
    let reader = try shop.open {
      $0.tracksHistory = true
      $0.isReadOnly = true
    }
    defer { reader.close() }
    #expect(try history(reader).transactions(HistoryQuery(.beginning)).count == 1)
    #expect(throws: StoreError.self) { try history(reader).delete(before: .transaction(9)) }
    #expect(throws: StoreError.self) { try history(reader).setConsumer("a", 1) }
    let plain = try Shop()
    try plain.open().close()
    let without = try plain.open {
      $0.tracksHistory = true
      $0.isReadOnly = true
    }
    #expect(without.history == nil)
    without.close()
  }
}
