import Foundation
import StoriesCore
import Testing

@Suite("Pages of a text")
struct PageTextTests {
  private func pages(_ text: String) -> [String] {
    StoryValue(Story(title: "a", content: text)).pages.map(\.displayText)
  }

  private func visible(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { !$0.properties.isWhitespace }
  }

  private func words(_ text: String) -> [Substring] { text.split { $0.isWhitespace } }

  @Test("pages end at the ends of sentences, and lose no word")
  func sentences() {
    let sentence = "He said: “Who is there?” Nobody answered! Then Mr. Fox and A. Owl came in…"
    let text = (1...30).map { "\(sentence) It was \($0) o'clock." }.joined(separator: " ")
    let pages = pages(text)
    #expect(pages.count > 5)
    #expect(pages.flatMap(words) == words(text))
    for page in pages {
      #expect(page.count <= 420)
      #expect(page.last.map { ".!?…”".contains($0) } == true, "\(page)")
      #expect(!page.hasSuffix("Mr.") && !page.hasSuffix(" A."))
    }
  }

  @Test("a text without sentences is split between words, and a long word stays whole")
  func noSentences() {
    let text = String(repeating: "word ", count: 300) + String(repeating: "x", count: 1000)
    let pages = pages(text)
    #expect(pages.flatMap(words) == words(text))
    #expect(pages.dropLast().allSatisfy { $0.count <= 420 })
    #expect(pages.last?.count == 1000)
  }

  @Test("sentences of other scripts end without a space")
  func otherScripts() {
    let text = String(repeating: "昔々あるところにおじいさんがいました。", count: 60)
    let pages = pages(text)
    #expect(pages.joined() == text)
    #expect(pages.count > 2)
    #expect(pages.allSatisfy { $0.hasSuffix("。") })
  }

  @Test("blanks at the ends of pages go; an empty text has no page", arguments: ["", " \n\t "])
  func empty(_ text: String) {
    #expect(pages(text) == [])
    #expect(pages("\n One.  Two. \n") == ["One.  Two."])
  }

  private static let texts = [
    String(repeating: "昔々あるところにおじいさんがいました。", count: 60),
    (1...60).map { "This is paragraph \($0). It ends here." }.joined(separator: "\n\n"),
    (1...60).map { "Are the words of line \($0) indented?" }.joined(separator: "\r\n\t"),
    String(repeating: "word  ", count: 300) + "end",
  ]

  @Test(
    "the pages together are the text, and are shown without white space at their ends",
    arguments: texts)
  func roundTrip(_ text: String) {
    let story = Story(title: "a", content: text)
    #expect(story.content == text)
    #expect(StoryValue(story).content == text)
    let shown = pages(text)
    #expect(shown.count > 2)
    for page in shown {
      #expect(page.first?.isWhitespace == false && page.last?.isWhitespace == false)
    }
  }

  @Test(
    "pages of earlier versions, which have no white space at their ends, are joined with spaces")
  func formerPages() {
    func content(_ texts: [String]) -> String {
      let story = Story(title: "a", content: "")
      story.pages = texts.enumerated().map { Page(number: $0 + 1, text: $1) }
      return story.content
    }
    #expect(content(["One.", "Two,", "and more."]) == "One. Two, and more.")
    #expect(content(["一。", "二。"]) == "一。二。")
    #expect(content([]) == "")
  }

  @Test("any text keeps its words with any characters")
  func anyText() {
    let parts = [
      "a", ".", "!", "“", "”", " ", "\n", "…", "。", "👩‍👩‍👧", "é", "Mr", "I", "\u{301}", "\r\n",
    ]
    var state: UInt64 = 7
    for _ in 0..<40 {
      var text = ""
      for _ in 0..<600 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text += parts[Int(state >> 33) % parts.count]
      }
      let joined = pages(text).joined(separator: " ")
      #expect(visible(joined) == visible(text))
      let kept = text.trimmingCharacters(in: .whitespacesAndNewlines)
      #expect(Story(title: "a", content: text).content == kept)
    }
  }

  @Test("a text of many periods is split in linear time", .timeLimit(.minutes(30)))
  func periods() {
    let text = String(repeating: ".", count: 20_000)
    #expect(Story(title: "a", content: text).content == text)
  }
}
