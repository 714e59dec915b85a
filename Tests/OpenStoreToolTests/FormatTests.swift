import OpenStoreTool
import Testing

@Suite("Rows are printed in four formats")
struct FormatTests {
  private func text(_ format: OutputFormat, _ rows: [[OutputValue.Field]]) -> String {
    var text = ""
    var printer = RowPrinter(format) { text += $0 }
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

  @Test("CSV quotes what has commas, quotes or line ends")
  func csv() {
    #expect(text(.csv, rows) == "name,size\r\n\"a,\"\"b\"\"\nc\",1\r\n,Infinity\r\n")
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

  @Test("numbers that JSON does not have are texts, others stay exact")
  func numbers() {
    #expect(OutputValue.real(.nan).json == "\"NaN\"")
    #expect(OutputValue.real(-.infinity).json == "\"-Infinity\"")
    #expect(OutputValue.real(0.1).json == "0.1")
    #expect(OutputValue.integer(.max).json == "9223372036854775807")
    #expect(OutputValue.text("\u{0}\u{1F600}/").json == "\"\\u0000\u{1F600}/\"")
  }
}
