import OpenSQLiteStore
import OpenStoreContract
import Testing

/// Ending the statement of one plan.
@Suite("Interrupted reads")
struct InterruptionTests {
  private func plan(_ shop: Shop, _ interruption: ReadInterruption?) throws -> FetchPlan {
    var plan = FetchPlan(shape: FetchShape(entity: try shop.entity()))
    plan.interruption = interruption
    return plan
  }

  private func filledStore(_ shop: Shop) throws -> SQLiteStore {
    let store = try shop.open()
    _ = try shop.insert((0..<20_000).map { "code \($0)" }, into: store)
    return store
  }

  @Test("an interruption ends only the running statement, even after it returned rows")
  func whileRunning() throws {
    let shop = try Shop()
    let store = try filledStore(shop)
    let interruption = ReadInterruption()
    let other = try plan(shop, nil)
    var rows = 0
    let error = #expect(throws: StoreError.self) {
      try store.forEachChunk(matching: try plan(shop, interruption)) { (chunk) throws(StoreError) in
        rows += chunk.rowCount
        guard !interruption.isInterrupted else { return }
        interruption.interrupt()
        // Others read on, also while the first statement is under way.
        var others = 0
        try store.forEachChunk(matching: other) { others += $0.rowCount }
        #expect(others == 20_000)
      }
    }
    #expect(error?.code == .interrupted)
    #expect(rows > 0 && rows < 20_000)
  }

  @Test("an interruption before the statement prevents it from running")
  func before() throws {
    let shop = try Shop()
    let store = try filledStore(shop)
    let interruption = ReadInterruption()
    interruption.interrupt()
    _ = shop.takeStatements()
    let plan = try plan(shop, interruption)
    for read in [
      { _ = try store.keys(matching: plan) }, { _ = try store.count(matching: plan) },
      { try store.forEachChunk(matching: plan) { _ in } },
    ] as [() throws -> Void] {
      let error = #expect(throws: StoreError.self) { try read() }
      #expect(error?.code == .interrupted)
    }
    #expect(shop.takeStatements().isEmpty)
  }

  @Test("a connection that was interrupted reads and writes as before")
  func afterwards() throws {
    let shop = try Shop()
    let store = try filledStore(shop)
    for _ in 0..<10 {
      let interruption = ReadInterruption()
      #expect(throws: StoreError.self) {
        try store.forEachChunk(matching: try plan(shop, interruption)) { _ in
          interruption.interrupt()
        }
      }
      #expect(try store.count(matching: try plan(shop, nil)) == 20_000)
      #expect(try store.keys(matching: try plan(shop, ReadInterruption())).count == 20_000)
    }
    _ = try shop.insert(["more"], into: store)
    #expect(try store.count(matching: try plan(shop, nil)) == 20_001)
  }
}
