import Foundation
import OpenObjectModel
import OpenPredicates
import OpenSQLCore
import OpenSQLiteStore
import OpenStoreContract
import Testing

@Suite(
  "History that Apple's frameworks wrote",
  .enabled(if: !RealStore.all.isEmpty, "the collection of Apple's files is not here"))
struct RealHistoryTests {
  /// A copy of a store that has a history, opened for writing; nil for a store without.
  private struct Copy {
    let folder: URL
    let file: URL
    let model: CompiledModel
    let store: SQLiteStore
  }

  private func copy(_ real: RealStore) throws -> Copy? {
    let counts = try StoreInspection.rows(
      of: "SELECT COUNT(*) FROM sqlite_master WHERE name = 'ATRANSACTIONSTRING'",
      inStoreAt: real.url)
    guard counts == [[.int(1)]], let model = try ModelCache.model(inStoreAt: real.url) else {
      return nil
    }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("history-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("store.sqlite")
    for suffix in ["", "-wal"] {
      let source = real.url.path + suffix
      guard FileManager.default.fileExists(atPath: source) else { continue }
      try FileManager.default.copyItem(atPath: source, toPath: file.path + suffix)
    }
    var configuration = StoreConfiguration(url: file)
    configuration.tracksHistory = true
    configuration.ignoresModelVersion = true
    let compiled = try model.compiled()
    return Copy(
      folder: folder, file: file, model: compiled,
      store: try SQLiteStore.open(configuration, model: compiled))
  }

  @Test(
    "all transactions are read, and every mask decodes to properties that encode to the same mask",
    arguments: RealStore.all)
  func reading(_ real: RealStore) throws {
    guard let copy = try copy(real) else { return }
    defer { try? FileManager.default.removeItem(at: copy.folder) }
    let history = try #require(copy.store.history)
    let transactions = try history.transactions(HistoryQuery(.beginning))
    copy.store.close()
    let raw = try StoreInspection.rows(
      of: """
        SELECT c.Z_PK, c.ZCHANGETYPE, c.ZENTITY, c.ZENTITYPK, c.ZCOLUMNS FROM ACHANGE AS c
        JOIN ATRANSACTION AS t ON t.Z_PK = c.ZTRANSACTIONID ORDER BY c.ZTRANSACTIONID, c.Z_PK
        """, inStoreAt: copy.file)
    let changes = transactions.flatMap(\.changes)
    #expect(changes.map { Value.int($0.number) } == raw.map { $0[0] })
    #expect(changes.map { Value.int($0.kind.rawValue) } == raw.map { $0[1] })
    #expect(changes.map { Value.int(Int64($0.id.entityIndex) + 1) } == raw.map { $0[2] })
    #expect(changes.map { Value.int($0.id.key) } == raw.map { $0[3] })
    let masks = copy.model.entities.map(HistoryMask.init)
    for (change, row) in zip(changes, raw) {
      guard case .data(let mask) = row[4] else {
        #expect(change.updated.isEmpty)
        continue
      }
      let index = Int(change.id.entityIndex)
      let again = masks[index].data(of: change.updated, in: copy.model.entities[index])
      let wanted = zip(mask, masks[index].places).map { $0 & ~$1 }
      #expect(
        Array(again) == wanted && again.count == mask.count,
        "mask of a change of \(copy.model.entities[index].name)")
    }
    #expect(transactions.allSatisfy { $0.timestamp > 0 })
  }

  @Test("a change continues with its numbers", arguments: RealStore.all)
  func continuing(_ real: RealStore) throws {
    guard let copy = try copy(real) else { return }
    defer { try? FileManager.default.removeItem(at: copy.folder) }
    let store = copy.store
    defer { store.close() }
    let history = try #require(store.history)
    let before = try history.transactions(HistoryQuery(.beginning))
    let bounds = try history.bounds()
    for root in copy.model.entities where root.superIndex == nil {
      let shape = FetchShape(entity: root, hasLimit: true)
      let plan = FetchPlan(shape: shape, limit: 1)
      guard let id = try store.keys(matching: plan).first else { continue }
      var update = BatchUpdate(
        plan: FetchPlan(
          shape: FetchShape(
            entity: root,
            filter: .comparison(
              .property(PropertyPath(entityIndex: root.index, end: .object)), .equal, .binding(0),
              [])), bindings: [.int(id.key)]), assignments: [])
      let free = root.properties.first {
        $0.attribute?.type == .boolean && $0.slot != nil && $0.attribute?.derivation == nil
      }
      guard let free, let slot = free.slot else { continue }
      update.assignments = [.init(slot: slot, operand: .binding(1))]
      update.plan.bindings.append(.bool(true))
      let outcome = try store.execute(.update(update), origin: ChangeOrigin(author: "test"))
      #expect(outcome.updated == [id])
      #expect(outcome.transaction == bounds.last + 1)
      let last = try #require(
        try history.transactions(HistoryQuery(.transaction(bounds.last))).last)
      #expect(last.origin.author == "test")
      #expect(
        last.changes.map(\.id) == [id] && last.changes[0].updated == OrdinalSet([free.ordinal]))
      #expect(last.changes[0].number > before.flatMap(\.changes).map(\.number).max() ?? 0)
      return
    }
  }
}
