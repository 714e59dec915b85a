import ForumHTML
import Testing

@Suite("HTML parser")
struct HTMLParserTests {
  @Test("Attributes of a body that follows other content are kept")
  func lateBody() throws {
    let page =
      "<div id=early></div><body class='page x' data-thread=7><table><tr><td>a<tr><td>b</table>"
    let document = try HTMLParser.parse(page)
    #expect(document.body["data-thread"] == "7")
    #expect(document.body.hasClass("x"))
    #expect(try document.select("table > tbody > tr").count == 2)
  }

  @Test("Inner markup is written by the standard's rules")
  func serialising() throws {
    let page =
      "<div id=d><p title='a&quot;&lt;b'>1 &amp; 2&nbsp;&lt;3<br>x<script>a<b</script><!--c--></div>"
    let element = try #require(try HTMLParser.parse(page).first("#d"))
    #expect(
      element.innerHTML
        == "<p title=\"a&quot;<b\">1 &amp; 2&nbsp;&lt;3<br>x<script>a<b</script><!--c--></p>")
  }

  @Test("Text in a drawing's style stays text when it is written and read again")
  func drawings() throws {
    let page =
      "<div id=d><svg><style>&lt;img src=x onerror=a()&gt;</style><a xlink:href=b xml:lang=c>d</a></svg></div>"
    let element = try #require(try HTMLParser.parse(page).first("#d"))
    #expect(element.descendants.map(\.namespace) == [.svg, .svg, .svg])
    #expect(element.descendants.first { $0.name == "a" }?["xlink:href"] == "b")
    let written = element.innerHTML
    let again = try HTMLParser.parse("<body>\(written)").body
    #expect(try again.first("img") == nil)
    #expect(again.innerHTML == written)
  }

  @Test("Readable text separates blocks and omits scripts")
  func readableText() throws {
    let body = try HTMLParser.parse("<p>one<br>two</p><script>no</script><i>th</i>ree").body
    #expect(body.readableText.split(whereSeparator: \.isWhitespace) == ["one", "two", "three"])
  }

  @Test(
    "Too deeply nested pages are rejected before they are parsed",
    arguments: [
      "<div>", "<p><b>", "<div><table></div></table>", "<span><div></span></div>",
      "<div title='</div>'>", "<div><svg><style></div></style></svg>", "<rt></b>",
      "<div><script><!--<script></script></div></script>", "<![CDATA[<ul><ul>]]>",
      "<form><div></form>", "<frameset/>", "<svg><p><div/>", "</td><td><ul>",
      "<noscript></noscript><dd></noscript><dd><noscript>",
      "<font></annotation-xml><annotation-xml>",
    ])
  func depth(pattern: String) {
    let page = String(repeating: pattern, count: 100_000)
    #expect(code { try HTMLParser.parse(page) } == .tooDeep)
  }

  @Test("A tag with thousands of attributes is rejected")
  func attributes() {
    let tag = "<div " + (0..<5_000).map { "a\($0)=1" }.joined(separator: " ") + ">"
    #expect(code { try HTMLParser.parse(tag) } == .tooManyAttributes)
  }

  @Test("Long pages of usual markup pass, unclosed paragraphs, items and rows included")
  func usualMarkup() throws {
    let post = "<table><tr><td><p>a<p>b<ul><li>x<li>y</ul><b>z</b><img><br></td></tr></table>"
    let list = "<select>" + String(repeating: "<option>1", count: 3_000) + "</select>"
    let page = String(repeating: post, count: 2_000) + list
    let document = try HTMLParser.parse(page)
    #expect(try document.select("table").count == 2_000)
    #expect(try document.select("option").count == 3_000)
  }

  @Test(
    "Random tag soup either parses or is rejected, and never ends the process", arguments: 1...40)
  func soup(seed: UInt64) {
    var random = SeededGenerator(state: seed &* 0x9E37_79B9_7F4A_7C15)
    let names = [
      "div", "b", "p", "table", "td", "svg", "select", "script", "form", "li", "a", "title",
    ]
    var page = ""
    for _ in 0..<4_000 {
      let name = names[Int.random(in: 0..<names.count, using: &random)]
      switch Int.random(in: 0..<10, using: &random) {
      case 0...4: page += "<\(name)>"
      case 5...7: page += "</\(name)>"
      case 8:
        page +=
          ["<!--", "-->", "<![CDATA[", "]]>", "&amp", "\u{0}"].randomElement(using: &random) ?? ""
      default: page += "<\(name) a='\(name)"
      }
    }
    let outcome = code { try HTMLParser.parse(page) }
    #expect(outcome == nil || outcome == .tooDeep || outcome == .tooManyAttributes, "seed \(seed)")
  }
}

/// A generator that returns the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
