import Foundation
import Testing
import WebPages

/// The edits that pages receive lead to the current list.
@Suite("Edits of live lists")
struct LiveEditTests {
  /// A page's list, changed as the script changes it.
  private struct PageList {
    var rows: [(id: String, html: String)]

    mutating func apply(_ edit: LiveEdit) {
      let place = rows.firstIndex { $0.id == edit.id }
      var row = place.map { rows[$0] } ?? (id: edit.id, html: "")
      row.html = edit.html ?? row.html
      if edit.kind == .delete {
        if let place { rows.remove(at: place) }
        return
      }
      guard let after = edit.after else {
        if let place { rows[place] = row }
        return
      }
      if let place { rows.remove(at: place) }
      let index = rows.firstIndex { $0.id == after }.map { $0 + 1 } ?? 0
      rows.insert(row, at: index)
    }
  }

  private func rows(_ text: String) -> [LiveRow] {
    text.split(separator: " ").map { word in
      let id = String(word.prefix(1))
      return LiveRow(id: id, markup: element(.li, .id(id)) { String(word) })
    }
  }

  private func check(_ old: [LiveRow], _ new: [LiveRow]) -> [LiveEdit] {
    var list = PageList(rows: old.map { ($0.id, $0.markup.source) })
    let edits = LiveEdit.edits(of: "list", from: old, to: new)
    for edit in edits { list.apply(edit) }
    #expect(list.rows.map(\.id) == new.map(\.id))
    #expect(list.rows.map(\.html) == new.map(\.markup.source))
    // A page that receives the same edits again does not change.
    for edit in edits { list.apply(edit) }
    #expect(list.rows.map(\.id) == new.map(\.id))
    return edits
  }

  @Test(
    "one row that moves is one move in any direction",
    arguments: [
      ("a b c d", "d a b c", ["move d"]), ("a b c d", "b c d a", ["move a"]),
      ("a b", "a b", []), ("a b", "a b2", ["update b"]), ("a b", "b", ["delete a"]),
      ("a c", "a b c", ["insert b"]), ("", "a", ["insert a"]), ("a b c", "c2 a b", ["move c"]),
    ])
  func kinds(_ old: String, _ new: String, _ expected: [String]) {
    #expect(check(rows(old), rows(new)).map { "\($0.kind.rawValue) \($0.id)" } == expected)
  }

  @Test("edits transform any list into any other")
  func random() {
    var seed: UInt64 = 7
    func random(_ limit: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % limit
    }
    func list() -> [LiveRow] {
      var ids = (0..<random(12)).map { _ in random(14) }
      var known: Set<Int> = []
      ids = ids.filter { known.insert($0).inserted }
      return ids.map { id in
        LiveRow(id: "r\(id)", markup: element(.li) { "\(id) \(random(3))" })
      }
    }
    for _ in 0..<2_000 { _ = check(list(), list()) }
  }
}
