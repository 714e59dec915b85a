import Foundation
import OpenObjectGraph
import OpenObjectModel
import OpenStoreContract
import OpenStoreTool
import Testing

@Suite(
  "The tool prints Apple's stores cell by cell as SQLite has them",
  .enabled(if: !RealStore.all.isEmpty, "the collection of Apple's files is not here"))
struct RealStoreTests {
  @Test("every row of every entity", arguments: RealStore.all.filter(\.keepsModel))
  func rows(_ real: RealStore) throws {
    let copy = try StoreCopy(of: real.url)
    let before = try copy.contents()
    let store = try InspectedStore(at: copy.url.path, modelPath: nil)
    let raw = try RawStore(copyOf: real.url)
    let expectation = try RawExpectation(
      raw, identifier: real.identifier, model: store.coordinator.model)
    var counts: [String: Int] = [:]
    for entity in store.entities {
      var query = StoreQuery(entity: entity.name)
      query.includesSubentities = false
      var rows: [[OutputValue.Field]] = []
      try query.forEachRow(in: store, includesToMany: true) { rows.append($0) }
      if !rows.isEmpty { counts[entity.name] = rows.count }
      let differences = try expectation.differences(rows, of: entity)
      #expect(differences.isEmpty, "\(differences.prefix(5))")
    }
    #expect(try counts == expectation.renamed(real.rows))
    #expect(try copy.contents() == before)
  }

  @Test("reports of them", arguments: RealStore.all.filter(\.keepsModel))
  func reports(_ real: RealStore) throws {
    let copy = try StoreCopy(of: real.url)
    let before = try copy.contents()
    let facts = try StoreReport.facts(ofStoreAt: copy.url.path, modelPath: nil)
    #expect(try copy.contents() == before)
    let report = StoreReport(try InspectedStore(at: copy.url.path, modelPath: nil))
    #expect(facts.first { $0.key == "uuid" }?.value == .text(real.identifier))
    #expect(
      facts.first { $0.key == "rows" }?.value
        == .integer(Int64(real.rows.values.reduce(0, +))))
    let listed = try report.list().map { row in row.first { $0.key == "rows" }?.value }
    #expect(listed.count >= real.rows.count)
    #expect(try !report.statistics().isEmpty)
  }

  @Test("a store without a copy of its model requires a model argument")
  func noModel() throws {
    let kik = try #require(RealStore.all.first { !$0.keepsModel })
    let copy = try StoreCopy(of: kik.url)
    let error = #expect(throws: ToolError.self) {
      try InspectedStore(at: copy.url.path, modelPath: nil)
    }
    #expect(error?.status == .unreadable)
    #expect(error?.message.contains("--model") == true)
  }
}
