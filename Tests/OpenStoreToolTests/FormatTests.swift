import OpenStoreTool
import Testing

@Suite("Rows are printed in four formats")
struct FormatTests {
  private func text(
    _ format: OutputFormat, _ rows: [[OutputValue.Field]], columns: [String]? = nil,
    width: Int? = nil
  ) -> String {
    var text = ""
    var printer = RowPrinter(format, columns: columns, width: width) { text += $0 }
    for row in rows { printer.print(row) }
    printer.finish()
    return text
  }

  private let rows: [[OutputValue.Field]] = [
    [.init("name", .text("a,\"b\"\nc")), .init("size", .integer(1))],
    [.init("name", .null), .init("size", .real(.infinity))],
  ]

  @Test("JSON is one array, with a row a line")
  func json() {
    #expect(
      text(.json, rows) == """
        [
        {"name":"a,\\"b\\"\\nc","size":1},
        {"name":null,"size":"Infinity"}
        ]

        """)
    #expect(text(.json, []) == "[]\n")
  }

  @Test("ndjson is one object a line")
  func lines() {
    #expect(text(.ndjson, rows).split(separator: "\n").count == 2)
    #expect(text(.ndjson, []).isEmpty)
  }

  @Test("CSV quotes values with commas, quotes or line breaks")
  func csv() {
    #expect(text(.csv, rows) == "name,size\r\n\"a,\"\"b\"\"\nc\",1\r\n,Infinity\r\n")
    let marked = text(.csv, [[.init("name", .text("a\"\u{301}b"))]])
    #expect(marked.utf8.elementsEqual("name\r\n\"a\"\"\u{301}b\"\r\n".utf8))
  }

  @Test("a table's columns fit, and control characters do not reach the terminal")
  func table() {
    #expect(
      text(
        .table,
        [
          [.init("name", .text("x\u{1B}[2Jy")), .init("size", .integer(1))],
          [.init("name", .text("long name")), .init("size", .integer(22))],
        ]) == """
          name       size
          x·[2Jy     1
          long name  22

          """)
  }

  @Test("numbers that JSON does not support are texts, others stay exact")
  func numbers() {
    #expect(OutputValue.real(.nan).json == "\"NaN\"")
    #expect(OutputValue.real(-.infinity).json == "\"-Infinity\"")
    #expect(OutputValue.real(0.1).json == "0.1")
    #expect(OutputValue.real(-0.0).json == "-0.0" && OutputValue.real(3).json == "3.0")
    #expect(OutputValue.integer(.max).json == "9223372036854775807")
    #expect(OutputValue.text("\u{0}\u{1F600}/").json == "\"\\u0000\u{1F600}/\"")
    // Terminals interpret U+009B as the beginning of a command.
    #expect(OutputValue.text("\u{9B}2J").json == "\"\\u009b2J\"")
  }

  private let mixed: [[OutputValue.Field]] = [
    [.init("id", .integer(1)), .init("name", .text("a"))],
    [.init("id", .integer(2)), .init("size", .integer(7)), .init("name", .text("b"))],
  ]

  @Test("CSV and tables have the columns of all rows, regardless of the first row")
  func union() {
    #expect(text(.csv, mixed) == "id,name,size\r\n1,a,\r\n2,b,7\r\n")
    #expect(text(.csv, mixed.reversed()) == "id,size,name\r\n2,7,b\r\n1,,a\r\n")
    #expect(text(.table, mixed) == "id  name  size\n1   a\n2   b     7\n")
    #expect(
      text(.csv, mixed, columns: ["id", "other", "name"]) == "id,other,name\r\n1,,a\r\n2,,b\r\n")
  }

  @Test(
    "a table is truncated to a terminal's width, except for ids and titles, and not without one")
  func width() {
    let id = "x-coredata://371234F1-5726-4A90-871C-FF34307A431F/Item/p1"
    let long = String(repeating: "é", count: 200)
    let rows: [[OutputValue.Field]] = [
      [.init("objectID", .text(id)), .init("short", .text("abc")), .init("long", .text(long))],
      [.init("objectID", .text(id)), .init("short", .text("d")), .init("long", .text("e"))],
    ]
    #expect(text(.table, rows).contains(long))
    let lines = text(.table, rows, width: 80).split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines[1].hasPrefix(id + "  abc    é") && lines[1].hasSuffix("é…"))
    let narrow = text(.table, rows, width: 20).split(separator: "\n")
    #expect(narrow[0].hasSuffix("  short  long"))
    #expect(narrow[1] == id + "  abc    ééé…")
  }

  @Test("characters that occupy two columns of a terminal, or none, do not move the next column")
  func wideCharacters() {
    let rows: [[OutputValue.Field]] = ["海の", "\u{1F600}a", "e\u{301}\u{200B}", "abcd"].map {
      [.init("t", .text($0)), .init("n", .integer(1))]
    }
    #expect(
      text(.table, rows)
        == "t     n\n海の  1\n\u{1F600}a   1\ne\u{301}\u{200B}     1\nabcd  1\n")
    let long = [[OutputValue.Field("t", .text(String(repeating: "海", count: 9)))]]
    #expect(text(.table, long, width: 10) == "t\n海海海海…\n")
    #expect(text(.table, long, width: 9) == "t\n海海海海…\n")
    #expect(text(.table, long, width: 8) == "t\n海海海…\n")
  }

  @Test("many rows keep the columns' widths")
  func manyRows() {
    let rows = (0..<1000).map { number in
      [OutputValue.Field("n", .integer(Int64(number))), .init("t", .text("x"))]
    }
    let lines = text(.table, rows, columns: ["n", "t"]).split(separator: "\n")
    #expect(lines.count == 1001)
    #expect(lines[1] == "0    x" && lines[1000] == "999  x")
  }
}
