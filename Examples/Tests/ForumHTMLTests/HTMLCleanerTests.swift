import ForumHTML
import Foundation
import HostileMarkup
import Testing

/// Markup that readers see is inert and keeps its text.
@Suite("HTML cleaner")
struct HTMLCleanerTests {
  private static let base = URL(string: "https://forum.test/")
  private let cleaner = HTMLCleaner(base: HTMLCleanerTests.base, images: .shown)

  @Test("content is kept")
  func content() {
    let quote =
      "<div class=\"bbc-block\"><h4>Bo posted:</h4><blockquote>a &amp; b<br>c</blockquote></div>"
    #expect(cleaner.clean(quote) == quote)
    #expect(
      cleaner.clean("<A HREF='showthread.php?threadid=1'>x</A>")
        == "<a href=\"https://forum.test/showthread.php?threadid=1\" "
        + "rel=\"noreferrer noopener nofollow\">x</a>")
    #expect(cleaner.clean("<a href='#post1'>x</a>") == "<a href=\"#post1\">x</a>")
    #expect(
      cleaner.clean("<table><tr><td colspan=2 bgcolor=red>x</table>")
        == "<table><tbody><tr><td colspan=\"2\">x</td></tr></tbody></table>")
    #expect(cleaner.clean("<pre>\n\n a\n</pre>") == "<pre>\n\n a\n</pre>")
    #expect(cleaner.clean("") == "")
    #expect(cleaner.clean("1 < 2 & \u{1F600}") == "1 &lt; 2 &amp; \u{1F600}")
  }

  @Test("images are links unless they are wanted")
  func images() {
    let markup = "<img src='http://one.test/a.gif' alt='a' onload=x() width=5>"
    #expect(
      cleaner.clean(markup)
        == "<img src=\"http://one.test/a.gif\" alt=\"a\" width=\"5\" "
        + "referrerpolicy=\"no-referrer\" loading=\"lazy\">")
    let linking = HTMLCleaner(base: Self.base)
    #expect(
      linking.clean(markup)
        == "<a href=\"http://one.test/a.gif\" rel=\"noreferrer noopener nofollow\">a</a>")
    #expect(
      linking.clean("<a href='http://one.test/'>\(markup)</a>")
        == "<a href=\"http://one.test/\" rel=\"noreferrer noopener nofollow\">a</a>")
  }

  @Test("known scripts in markup are text or nothing", arguments: HostileMarkup.vectors)
  func script(_ vector: String) throws {
    try expectInert(cleaner.clean(vector))
    try expectInert(HTMLCleaner(base: nil).clean("before\(vector)after"))
  }

  @Test("cleaned markup of mutated vectors is inert and cleaning it changes nothing")
  func mutations() throws {
    var dice = HostileMarkup.Dice(seed: 20_261_126)
    let pieces = [
      "<svg>", "<math>", "</svg>", "<style>", "</style>", "<table>", "<td>", "</table>", "<p>",
      "</p>", "<a href=x>",
      "<form>", "</form>", "<pre>\n", "<b>", "</i>", "<i>", "<select>", "<template>", "<!--", "-->",
      "\"", "'", "<mtext>",
      "<foreignObject>", "<title>", "<noscript>", "<li>", "<dd>", "<h1>", "<center>", "<br>",
      "&lt;", "\0", "</",
    ]
    var unstable = 0
    for round in 0..<600 {
      var markup = ""
      for _ in 0...dice.below(5) {
        let part = HostileMarkup.vectors[dice.below(HostileMarkup.vectors.count)]
        let cut = dice.below(part.count + 1)
        markup += dice.below(2) == 0 ? part.prefix(cut) : part.suffix(cut)
        for _ in 0..<dice.below(4) { markup += pieces[dice.below(pieces.count)] }
      }
      let cleaned = cleaner.clean(markup)
      try expectInert(cleaned, "round \(round): \(markup.debugDescription)")
      #expect(cleaner.clean(cleaned) == cleaned, "round \(round): \(markup.debugDescription)")
      if markup.contains("<img"), cleaned.contains("&lt;img"), !cleaned.contains("<") {
        unstable += 1
      }
    }
    #expect(unstable < 12, "few need to be shown as their source")
  }

  @Test("markup that cannot be parsed is shown as text")
  func tooDeep() throws {
    let cleaned = cleaner.clean(String(repeating: "<div>", count: 1000) + "<script>")
    #expect(cleaned.hasPrefix("&lt;div&gt;"))
    #expect(!cleaned.contains("<"))
  }

  /// Whether a tree that a page would have of the markup has only elements and attributes that do nothing.
  private func expectInert(_ markup: String, _ comment: String = "") throws {
    let allowed: Set<String> = [
      "class", "title", "colspan", "rowspan", "start", "href", "rel", "src", "alt", "width",
      "height",
      "referrerpolicy", "loading",
    ]
    let forbidden: Set<String> = [
      "script", "style", "iframe", "object", "embed", "form", "input", "svg", "math", "link",
      "base",
      "meta", "template", "video", "audio", "button", "textarea", "select", "noscript", "source",
    ]
    let body = try HTMLParser.parse("<!DOCTYPE html><body><div>\(markup)</div>").body
    for element in body.descendants {
      #expect(element.namespace == .html, "\(comment) \(markup)")
      #expect(!forbidden.contains(element.name), "\(comment) \(markup)")
      for attribute in element.attributes {
        #expect(allowed.contains(attribute.name), "\(comment) \(markup)")
        if ["href", "src"].contains(attribute.name) {
          let isWeb = ["http://", "https://", "#"].contains { attribute.value.hasPrefix($0) }
          #expect(isWeb, "\(comment) \(markup)")
        }
      }
    }
  }
}
