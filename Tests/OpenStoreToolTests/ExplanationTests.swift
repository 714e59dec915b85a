import Foundation
import OpenObjectGraph
import OpenStoreTool
import Testing

@Suite("explain describes how a query runs")
struct ExplanationTests {
  private func explanation(
    of predicate: String?, in sample: Sample, values: Explanation.Values = .hidden,
    _ change: (inout StoreQuery) -> Void = { _ in }
  ) throws -> Explanation {
    var query = StoreQuery(entity: "Item")
    query.predicate = predicate
    change(&query)
    return try Explanation(
      query, storeAt: sample.file.path, modelPath: nil, values: values)
  }

  @Test("with the statement, SQLite's plan, scans and suggestions, and no values")
  func facts() throws {
    let sample = try Sample()
    try sample.writeItems(5)
    let explanation = try explanation(of: "title == 'secret 3'", in: sample)
    let store = try #require(explanation.fetch.stores.first)
    #expect(store.sql?.contains("ZTITLE = ?") == true)
    #expect(store.plan.first?.text.hasPrefix("SCAN") == true)
    #expect(store.fullScans.map(\.name) == ["ZITEM"])
    #expect(store.fullScans.map(\.rowCount) == [5])
    #expect(store.bindings == nil)
    #expect(!explanation.text.contains("secret"))
    #expect(explanation.fetch.suggestions.contains { $0.contains("ZITEM (ZTITLE)") })
    #expect(explanation.findings.isEmpty)
  }

  @Test("with the values on request")
  func bindings() throws {
    let sample = try Sample()
    try sample.writeItems(5)
    let explanation = try explanation(
      of: "title == \"it's\" AND medium > 3", in: sample, values: .shown)
    #expect(explanation.fetch.stores.first?.bindings == ["'it''s'", "3"])
    #expect(explanation.fields["bindings"] == .list([.text("'it''s'"), .text("3")]))
  }

  @Test("a lookup by key scans no table")
  func byKey() throws {
    let sample = try Sample()
    try sample.writeItems(5)
    let explanation = try explanation(of: "owner == nil", in: sample)
    let store = try #require(explanation.fetch.stores.first)
    #expect(store.indexes == ["ZITEM_ZOWNER_INDEX"])
    #expect(store.fullScans.isEmpty)
  }

  @Test("a scan of more than 1,000 rows is a finding, one of 1,000 is not")
  func findings() throws {
    for (count, isFinding) in [(1000, false), (1001, true)] {
      let sample = try Sample()
      try sample.writeItems(count)
      let explanation = try explanation(of: "ratio > 1", in: sample)
      #expect(explanation.findings.isEmpty == !isFinding)
      #expect(explanation.text.contains("Findings:") == isFinding)
    }
  }

  @Test("work in memory is a finding, with its reason")
  func inMemory() throws {
    let sample = try Sample()
    try sample.writeItems(2)
    let explanation = try explanation(of: "ANYKEY == 'Item 1'", in: sample)
    #expect(explanation.fetch.inMemory.map(\.kind) == [.predicate])
    #expect(explanation.findings.count == 1)
    #expect(explanation.fields["inMemory"] != .list([]))
  }

  @Test("json has all sections, and control characters do not reach a terminal")
  func output() throws {
    let sample = try Sample()
    try sample.writeItems(2)
    let explanation = try explanation(of: "title == 'a\u{1B}[2J'", in: sample, values: .shown)
    #expect(
      explanation.fields.map(\.key) == [
        "sql", "bindings", "plan", "indexes", "fullScans", "temporaryTrees", "rows", "inMemory",
        "findings", "suggestions",
      ])
    #expect(!explanation.text.contains("\u{1B}"))
    let json = Data(OutputValue.object(explanation.fields).json.utf8)
    #expect(try JSONSerialization.jsonObject(with: json) is [String: Any])
  }

  @Test(
    "an invalid query is a usage error with an explanation",
    arguments: ["medium ===", "nothing = 1", "items.x > 1", "day == 'x'"])
  func wrongUse(_ predicate: String) throws {
    let sample = try Sample()
    try sample.writeItems(1)
    let error = #expect(throws: ToolError.self) { try explanation(of: predicate, in: sample) }
    #expect(error?.status == .usage)
    #expect(error?.message.isEmpty == false)
  }

  @Test("an unreadable file is reported")
  func unreadable() throws {
    let sample = try Sample()
    let error = #expect(throws: ToolError.self) { try explanation(of: nil, in: sample) }
    #expect(error?.status == .unreadable)
  }
}
