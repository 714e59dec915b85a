import Testing
import TerminalView

/// Lists in a terminal: the visible and the selected rows.
@Suite("Lists in a terminal")
struct ListStateTests {
  private func rows(_ ids: some Sequence<Int>, height: Int = 1) -> [TerminalRow] {
    ids.map { id in
      TerminalRow(id: "\(id)", (0..<height).map { "row \(id) line \($0)" }.joined(separator: "\n"))
    }
  }

  private func texts(_ list: inout ListState, width: Int = 20, height: Int = 6) -> [String] {
    list.lines(width: width, height: height).map { $0.text.trimmingTrailingBlanks }
  }

  @Test("a window has the heading, as many rows as fit, and the status, each as wide as the window")
  func window() {
    var list = ListState(title: "Title", emptyText: "Empty")
    list.status = "Status"
    #expect(texts(&list) == ["Title", "Empty", "", "", "", "Status"])
    list.setRows(rows(1...9))
    #expect(
      texts(&list)
        == ["Title", " row 1 line 0", " row 2 line 0", " row 3 line 0", " row 4 line 0", "Status"])
    for size in [(1, 1), (2, 2), (40, 3), (7, 30)] {
      let lines = list.lines(width: size.0, height: size.1)
      #expect(lines.count == size.1)
      #expect(lines.allSatisfy { CellText.width(of: $0.text) == size.0 })
    }
  }

  @Test("a long detail is cut, so that its line is as wide as the window and shows the text")
  func longDetail() {
    var list = ListState(title: "T", emptyText: "")
    let name = String(repeating: "name ", count: 20)
    list.setRows([
      TerminalRow(id: "1", "A subject", detail: name),
      TerminalRow(id: "2", "A group", detail: name, style: .heading),
      TerminalRow(id: "3", "Short", detail: "3:14"),
    ])
    for width in [1, 2, 7, 13, 24, 80] {
      let lines = list.lines(width: width, height: 5)
      #expect(lines.allSatisfy { CellText.width(of: $0.text) == width })
    }
    let shown = texts(&list, width: 24)
    #expect(shown[1] == " A subject   name name …" && shown[2] == "A group      name name …")
    #expect(shown[3] == " Short             3:14")
  }

  @Test("moving scrolls as far as needed, and stops at both ends")
  func moving() {
    var list = ListState(title: "T", emptyText: "")
    list.setRows(rows(1...9))
    list.move(by: 5)
    #expect(texts(&list).dropFirst().first == " row 3 line 0")
    list.move(by: 100)
    #expect(list.selectedRow?.id == "9")
    list.move(by: -100)
    #expect(list.selectedRow?.id == "1")
    #expect(texts(&list).dropFirst().first == " row 1 line 0")
  }

  @Test("the selected row stays selected and at its line while rows are added, moved and removed")
  func rowsChange() {
    var list = ListState(title: "T", emptyText: "")
    list.setRows(rows(10...29))
    _ = texts(&list)
    list.move(by: 10)
    let before = texts(&list)
    let line = before.firstIndex(of: " row 20 line 0")
    #expect(line != nil)
    list.setRows(rows(Array(1...29)))
    #expect(texts(&list).firstIndex(of: " row 20 line 0") == line)
    list.setRows(rows([28, 29, 20, 1]))
    #expect(list.selectedRow?.id == "20")
    list.setRows(rows([28, 29, 1]))
    #expect(list.selectedRow?.id == "1")
    list.setRows([])
    #expect(list.selectedRow == nil)
  }

  @Test("headings cannot be chosen")
  func headings() {
    var list = ListState(title: "T", emptyText: "")
    let heading = TerminalRow(id: "h", "Group", style: .heading)
    let last = TerminalRow(id: "l", "Group", style: .heading)
    list.setRows([heading] + rows(1...2) + [last])
    #expect(list.selectedRow?.id == "1")
    list.move(by: -1)
    #expect(list.selectedRow?.id == "1")
    list.move(by: 2)
    #expect(list.selectedRow?.id == "2")
    list.setRows([heading])
    #expect(list.selectedRow == nil)
  }

  @Test("a row that is higher than the window is read by scrolling it")
  func highRows() {
    var list = ListState(title: "T", emptyText: "")
    list.setRows(rows(1...2, height: 10))
    #expect(texts(&list)[1] == " row 1 line 0")
    list.move(by: 1)
    #expect(list.selectedRow?.id == "1")
    #expect(texts(&list)[1] == " row 1 line 3")
    list.move(by: 1)
    #expect(texts(&list)[4] == " row 1 line 9")
    list.move(by: 1)
    #expect(list.selectedRow?.id == "2")
    #expect(texts(&list)[1] == " row 2 line 0")
    list.move(by: -1)
    #expect(list.selectedRow?.id == "1")
    #expect(texts(&list)[4] == " row 1 line 9")
  }
}

extension String {
  fileprivate var trimmingTrailingBlanks: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
