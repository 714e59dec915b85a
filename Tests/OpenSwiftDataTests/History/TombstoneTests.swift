import Foundation
import OpenSwiftData
import Testing

@Suite("Tombstones")
struct TombstoneTests {
  private func tombstone(
    _ change: (Keepsake) -> Void = { _ in }
  ) throws -> HistoryTombstone<Keepsake> {
    let container = try ModelContainer(
      for: Keepsake.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let keepsake = Keepsake(title: "a", kind: .photo)
    keepsake.text = "not kept"
    change(keepsake)
    context.insert(keepsake)
    try context.save()
    context.delete(keepsake)
    try context.save()
    let history = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    guard case .delete(let delete)? = history.last?.changes.first,
      let typed = delete as? DefaultHistoryDelete<Keepsake>
    else { throw Missing() }
    return typed.tombstone
  }

  private struct Missing: Error {}

  @Test("preserved values are kept in their own types, others are not")
  func values() throws {
    let date = Date(timeIntervalSinceReferenceDate: 1000)
    let tombstone = try tombstone { keepsake in
      keepsake.origin = Keepsake.Origin(place: "Bath", year: 1811)
      keepsake.found = date
      keepsake.tags = ["x", "y"]
    }
    #expect(tombstone[\.title] as? String == "a")
    #expect(tombstone[\.kind] as? Keepsake.Kind == .photo)
    #expect(tombstone[\.origin] as? Keepsake.Origin == Keepsake.Origin(place: "Bath", year: 1811))
    #expect(tombstone[\.found] as? Date == date)
    #expect(tombstone[\.tags] as? [String] == ["x", "y"])
    #expect(tombstone[\.text] == nil)
    #expect(Array(tombstone).count == 5)
  }

  @Test("values that were nil are not in a tombstone")
  func nilValues() throws {
    let tombstone = try tombstone()
    #expect(tombstone[\.origin] == nil)
    #expect(tombstone[\.found] == nil)
    #expect(tombstone.first { $0 is String } as? String == "a")
  }

  @Test("a custom store can make tombstones")
  func making() {
    let tombstone = HistoryTombstone<Note>([(\.title, "a")])
    #expect(tombstone[\.title] as? String == "a")
    #expect(tombstone[\.count] == nil)
  }
}
