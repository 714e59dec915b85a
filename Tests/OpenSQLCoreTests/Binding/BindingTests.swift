import Foundation
import OpenObjectModel
import OpenPredicates
import OpenSQLCore
import OpenStoreContract
import Testing

@Suite("Binding of values")
struct BindingTests {
  @Test(
    "lists of similar length share a form", arguments: [(1, 1), (3, 4), (513, 1000), (1000, 1000)])
  func buckets(_ count: Int, _ bucket: Int) {
    let list = Value.list((0..<count).map { .int(Int64($0)) } + [.null])
    #expect(ListForm(list) == .members(bucket))
  }

  @Test("long lists become JSON if JSON represents their elements exactly")
  func longLists() {
    #expect(ListForm(.list((0..<1001).map { .int($0) })) == .json)
    #expect(ListForm(.list((0..<1001).map { .double(Double($0)) })) == .taggedJSON)
    #expect(ListForm(.list([.null])) == .empty)
    #expect(ListForm(.string("no list")) == .empty)
  }

  @Test("JSON lists escape special characters")
  func json() {
    let list = Value.list([.int(-1), .null, .string("a\"b\\c\n"), .bool(true)])
    #expect(ListForm.json(of: list) == #"[-1,"a\"b\\c\u000a",1]"#)
  }

  @Test("the elements of a JSON list have the form of the column with which they are compared")
  func taggedLists() {
    let decimal = DecimalValue(Decimal(9_007_199_254_740_993))
    let list = Value.list([.decimal(decimal), .null, .data(Data([7])), .double(0.5)])
    #expect(
      ListForm.taggedJSON(of: list, for: .slot(.decimal))
        == #"["t9007199254740993","bBw==","t0.5"]"#)
    #expect(
      ListForm.taggedJSON(of: list, for: .taggedData)
        == #"[9007199254740993,"bAQc=","r0.5"]"#)
  }

  @Test(
    "the end of a prefix's range is the next text",
    arguments: [
      ("ab", "ac"), ("a\u{D7FF}", "a\u{E000}"), ("a\u{10FFFF}", "b"),
    ])
  func prefixEnds(_ prefix: String, _ end: String) {
    guard case .text(let text) = TextRange.end(of: .string(prefix)) else {
      Issue.record("no text")
      return
    }
    #expect(text == end)
  }

  @Test("a prefix that is no text has an empty range, and null has none")
  func prefixEndsOfOtherValues() {
    #expect("\(TextRange.end(of: .int(1)))" == "text(\"\")")
    #expect("\(TextRange.end(of: .null))" == "null")
  }

  @Test("values have the form of the column with which they are compared")
  func targets() {
    #expect("\(SQLTarget.slot(.real).content(of: .int(2)))" == "real(2.0)")
    #expect("\(SQLTarget.slot(.text).content(of: .int(2)))" == "integer(2)")
    #expect("\(SQLTarget.untyped.content(of: .bool(true)))" == "integer(1)")
    guard case .data(let data) = SQLTarget.taggedData.content(of: .data(Data([7]))) else {
      Issue.record("no data")
      return
    }
    #expect(data == Data([1, 7]))
  }
}
