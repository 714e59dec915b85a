import ForumHTML
import Testing

@Suite("Selectors")
struct SelectorTests {
  private static let page = """
    <body class="page main"><div id="top" class="box first"><p>a</p><p class="x">b</p>
    <a href="thread.php?id=1#last" title="Remove it">c</a></div>
    <div class="box"><span><p>d</p></span><input name="n" disabled><input name="m">
    <a href="other.html">e</a></div></body>
    """

  @Test(
    "A selector finds as many elements as it should",
    arguments: [
      ("p", 3), ("*", 13), (".box", 2), (".box.first", 1), ("#top", 1), ("div#top.box", 1),
      ("div p", 3), ("div > p", 2), ("p + p", 1), ("p + a", 1), ("p, a", 5), ("[href]", 2),
      ("a[href='other.html']", 1), ("a[href*='id=1']", 1), ("a[href^=\"thread\"]", 1),
      ("a[href$='last']", 1), ("div[class~=first]", 1), ("p:first-of-type", 2),
      ("p:nth-of-type(2)", 1), ("p:not(.x)", 2), ("input:disabled", 1), ("input:not(:disabled)", 1),
      ("body .box > span p", 1), (" div  >  p ", 2), ("table", 0), ("a[title^='Remove']", 1),
    ])
  func hits(selector: String, count: Int) throws {
    #expect(try HTMLParser.parse(Self.page).select(selector).count == count)
  }

  @Test("Matches are in document order, and the first match is the first of them")
  func order() throws {
    let document = try HTMLParser.parse(Self.page)
    #expect(try document.select("p, a").map(\.trimmedText) == ["a", "b", "c", "d", "e"])
    #expect(try document.first("div.box a")?.trimmedText == "c")
  }

  @Test(
    "An invalid selector is rejected with its position",
    arguments: [
      "", "p,", "p >", "a[", "a[href", "a[href%='x']", ":hover", "p:nth-of-type(x)", "p)", "a['x",
    ])
  func malformed(selector: String) throws {
    let document = try HTMLParser.parse("<p>")
    let error = #expect(throws: PageError.self) { try document.select(selector) }
    #expect(error?.code == .malformedSelector)
    #expect(error?.position != nil)
  }

  @Test("Siblings are found on pages with very many of them", .timeLimit(.minutes(30)))
  func wide() throws {
    let count = 60_000
    let page = String(repeating: "<i>a</i><b>b</b>", count: count)
    let document = try HTMLParser.parse(page)
    #expect(try document.select("i + b").count == count)
    #expect(try document.select("b:nth-of-type(\(count))").count == 1)
    #expect(document.body.descendants.count { $0.nextElement?.name == "b" } == count)
  }
}
