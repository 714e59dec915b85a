import Testing
import TerminalView

/// Texts in the columns of a terminal.
@Suite("Text in columns")
struct CellTextTests {
  @Test(
    "wide characters and emoji take two columns, marks none",
    arguments: [
      ("abc", 3), ("", 0), ("日本", 4), ("한글", 4), ("e\u{301}", 1), ("\u{1F600}", 2),
      ("\u{1F468}\u{200D}\u{1F469}", 2),
      ("❤\u{FE0F}", 2), ("ｆ", 2), ("ﾊ", 1), ("\u{1B}", 0), ("☃", 1), ("é", 1),
      ("\u{600}A", 1), ("\u{600}", 0),
    ])
  func widths(_ text: String, _ width: Int) {
    #expect(CellText.width(of: text) == width)
  }

  @Test("a text is cut or filled to just so many columns", arguments: 0...12)
  func fitting(_ columns: Int) {
    for text in [
      "", "short", "a longer text", "日本語のテキスト", "ab日本cd", "\u{1F600}\u{1F600}\u{1F600}\u{1F600}",
    ] {
      let fitted = CellText.fitted(text, to: columns)
      #expect(CellText.width(of: fitted) == columns)
      if CellText.width(of: text) <= columns { #expect(fitted.hasPrefix(text)) }
    }
  }

  @Test("a text wraps at spaces, and too long words wrap within, without losing text")
  func wrapping() {
    #expect(CellText.wrapped("one two three\n\nfour", to: 8) == ["one two", "three", "", "four"])
    #expect(CellText.wrapped("abcdefghij k", to: 4) == ["abcd", "efgh", "ij k"])
    #expect(CellText.wrapped("日本語 x", to: 4) == ["日本", "語 x"])
    for columns in 2...20 {
      let text = "a bb ccc dddd eeeee ffffff 日本語 ggggggg"
      let lines = CellText.wrapped(text, to: columns)
      #expect(lines.allSatisfy { CellText.width(of: $0) <= columns })
      #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
    }
  }

  @Test("every kind of line break begins a line", arguments: ["\n", "\r\n", "\r", "\u{2028}"])
  func lineBreaks(_ lineBreak: String) {
    let text = "one two\(lineBreak)three"
    #expect(CellText.wrapped(text, to: 20) == ["one two", "three"])
    var list = ListState(title: "Title", emptyText: "Empty")
    list.setRows([TerminalRow(id: "row", text)])
    let lines = list.lines(width: 9, height: 4).map(\.text)
    #expect(lines[1...2] == [" one two ", " three   "])
  }

  @Test("nothing in a text steers the terminal")
  func controls() {
    #expect(CellText.withoutControls("a\u{1B}[2Jb\u{9B}c\u{202E}d\r\n") == "a[2Jbcd")
    let separated = "\u{6CC}\u{200C}\u{634}"
    #expect(CellText.withoutControls(separated) == separated)
    #expect(CellText.withoutControls("\u{1F468}\u{200D}\u{1F469}") == "\u{1F468}\u{200D}\u{1F469}")
  }
}
