import OpenSQLiteStore
import OpenStoreConformance
import OpenStoreContract
import Testing

@Suite("Statements that a store runs")
struct StatementTests {
  @Test("a save of 1,000 inserts is one transaction with one text for each kind of statement")
  func thousandInserts() throws {
    let shop = try Shop()
    let store = try shop.open()
    _ = shop.takeStatements()
    _ = try shop.insert((0..<1000).map { "code \($0)" }, into: store)
    let statements = shop.takeStatements()
    #expect(statements.count == 1003)
    #expect(statements.first == "BEGIN IMMEDIATE")
    #expect(statements.last == "COMMIT")
    #expect(
      Array(Set(statements)).sorted() == [
        "BEGIN IMMEDIATE", "COMMIT",
        """
        INSERT INTO ZPRODUCT (Z_PK, Z_ENT, Z_OPT, ZCODE, ZPICTURE, ZSTOCK) \
        VALUES (?, ?, ?, ?, ?, ?)
        """,
        "UPDATE Z_PRIMARYKEY SET Z_MAX = (ifnull(Z_MAX, 0) + ?) WHERE Z_ENT = ? RETURNING Z_MAX",
      ])
  }

  @Test("an update writes the changed columns and the version, and checks the version")
  func update() throws {
    let shop = try Shop()
    let store = try shop.open()
    let rows = try shop.insert(["a"], into: store)
    let update = try shop.update(rows[0], code: "b")
    _ = shop.takeStatements()
    _ = try store.commit(reserving: [:]) { _ in
      var changes = ChangeSet()
      changes.updated = [update]
      return changes
    }
    #expect(
      shop.takeStatements() == [
        "BEGIN IMMEDIATE",
        "UPDATE ZPRODUCT SET ZCODE = ?, Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?", "COMMIT",
      ])
    #expect(try shop.sqlite("SELECT ZCODE, Z_OPT FROM ZPRODUCT") == ["b|2"])
  }

  @Test("rows can swap the values of a uniqueness constraint in one save")
  func swap() throws {
    let shop = try Shop()
    let store = try shop.open()
    let rows = try shop.insert(["a", "b"], into: store)
    let updates = [
      try shop.update(rows[0], code: "b"), try shop.update(rows[1], code: "a"),
    ]
    let outcome = try store.commit(reserving: [:]) { _ in
      var changes = ChangeSet()
      changes.updated = updates
      return changes
    }
    guard case .committed = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(try shop.sqlite("SELECT ZCODE, Z_OPT FROM ZPRODUCT ORDER BY Z_PK") == ["b|2", "a|2"])
  }

  @Test("a reader sees the last commit while a transaction is open")
  func readersDuringWrite() throws {
    let shop = try Shop()
    let store = try shop.open()
    _ = try shop.insert(["a"], into: store)
    let plan = try shop.plan()
    var seen = 0
    _ = try store.commit(reserving: [0: 5]) { (_) throws(StoreError) in
      seen = try store.count(matching: plan)
      return ChangeSet()
    }
    #expect(seen == 1)
  }

  @Test("the body of a fetch can use the store", arguments: [true, false])
  func reentrancy(inMemory: Bool) throws {
    let shop = try Shop()
    let store = try shop.open { if inMemory { $0.url = nil } }
    _ = try shop.insert((0..<100).map { "code \($0)" }, into: store)
    let plan = try shop.plan()
    var rows = 0
    var counts: Set<Int> = []
    try store.forEachChunk(matching: plan) { (chunk) throws(StoreError) in
      rows += chunk.rowCount
      counts.insert(try store.count(matching: plan))
      try store.forEachChunk(matching: plan) { _ in }
    }
    #expect(rows == 100)
    #expect(counts == [100])
  }
}
