import Testing
import WebPages

/// Texts stay texts: their contents never begin markup.
@Suite("Markup")
struct MarkupTests {
  @Test(
    "markup characters are escaped in content and attributes, even before a combining mark",
    arguments: [
      ("<b>&amp;", "&lt;b&gt;&amp;amp;"), ("\" x='", "&quot; x=&#39;"),
      ("\"\u{301} onfocus=x", "&quot;\u{301} onfocus=x"), ("<\u{338}a", "&lt;\u{338}a"),
      ("caf\u{E9} \u{1F600}", "caf\u{E9} \u{1F600}"), ("", ""),
    ])
  func escaping(_ text: String, _ expected: String) {
    #expect(Markup(text).source == expected)
    let title = element(.span, Attribute("title", text)) { text }
    #expect(title.source == "<span title=\"\(expected)\">\(expected)</span>")
  }

  @Test("elements have their attributes and content; void elements have no end tag")
  func elements() {
    let hasNote = false
    let markup = element(.ul, .id("a"), nil, Attribute(flag: "hidden")) {
      for number in 1...2 { element(.li) { "\(number)" } }
      if hasNote { "note" }
      element(.input, Attribute("name", "q")) { "never shown" }
    }
    #expect(markup.source == "<ul id=\"a\" hidden><li>1</li><li>2</li><input name=\"q\"></ul>")
    #expect(element(.div) { Markup(trusted: "<br>") }.source == "<div><br></div>")
  }
}
