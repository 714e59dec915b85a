import COpenSQLite
import Foundation
import OpenPredicates
import Testing

/// Compares the in-memory tokenizer with SQLite's tokenizer.
@Suite("Words of texts")
struct WordListTests {
  /// A database whose tokenizer is asked.
  private final class Tokenizer {
    private var database: OpaquePointer?

    init() throws {
      try #require(sqlite3_open(":memory:", &database) == SQLITE_OK)
      try run(
        "CREATE VIRTUAL TABLE t USING fts5(x, tokenize='unicode61 remove_diacritics 2')")
      try run("CREATE VIRTUAL TABLE v USING fts5vocab(t, 'instance')")
    }

    deinit { sqlite3_close(database) }

    private func run(_ sql: String) throws {
      try #require(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
    }

    private func withStatement<Result>(_ sql: String, _ body: (OpaquePointer?) throws -> Result)
      throws -> Result
    {
      var statement: OpaquePointer?
      defer { sqlite3_finalize(statement) }
      try #require(sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK)
      return try body(statement)
    }

    /// Puts texts in place of the former ones.
    func fill(_ texts: [String]) throws {
      try run("DELETE FROM t")
      try run("BEGIN")
      try withStatement("INSERT INTO t (rowid, x) VALUES (?, ?)") { statement in
        for (row, text) in texts.enumerated() {
          let bytes = Array(text.utf8)
          sqlite3_bind_int64(statement, 1, Int64(row))
          let code = bytes.withUnsafeBytes { buffer in
            let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            sqlite3_bind_text64(statement, 2, start, UInt64(buffer.count), nil, UInt8(SQLITE_UTF8))
            return sqlite3_step(statement)
          }
          try #require(code == SQLITE_DONE)
          sqlite3_reset(statement)
        }
      }
      try run("COMMIT")
    }

    /// The positions of the texts that an expression finds.
    func rows(matching expression: String) throws -> [Int] {
      try withStatement("SELECT rowid FROM t WHERE t MATCH ? ORDER BY rowid") { statement in
        sqlite3_bind_text(
          statement, 1, expression, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        var rows: [Int] = []
        while true {
          switch sqlite3_step(statement) {
          case SQLITE_ROW: rows.append(Int(sqlite3_column_int64(statement, 0)))
          case SQLITE_DONE: return rows
          default:
            Issue.record("\(String(cString: sqlite3_errmsg(database))): \(expression)")
            return rows
          }
        }
      }
    }

    /// The words of each text.
    func words(of texts: [String]) throws -> [[String]] {
      try fill(texts)
      var words = [[String]](repeating: [], count: texts.count)
      try withStatement("SELECT doc, term FROM v ORDER BY doc, offset") { statement in
        while sqlite3_step(statement) == SQLITE_ROW {
          guard let text = sqlite3_column_text(statement, 1) else { continue }
          words[Int(sqlite3_column_int64(statement, 0))].append(String(cString: text))
        }
      }
      return words
    }
  }

  private func compare(_ texts: [String], _ seed: UInt64? = nil) throws {
    for (text, expected) in zip(texts, try Tokenizer().words(of: texts)) {
      let words = WordList(text).words
      guard words != expected else { continue }
      let scalars = text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
      Issue.record("\(scalars): \(words), but SQLite has \(expected) (seed \(seed ?? 0))")
    }
  }

  @Test(
    "random texts of all scripts have the words that SQLite finds",
    arguments: 1...4 as ClosedRange<UInt64>)
  func randomTexts(_ seed: UInt64) throws {
    var numbers = SearchNumbers(seed)
    let ranges: [ClosedRange<UInt32>] = [
      0x0...0x7F, 0x80...0x24F, 0x2B0...0x37F, 0x370...0x58F, 0x590...0xFFF, 0x1000...0x1FFF,
      0x2000...0x2FFF, 0x3000...0xD7FF, 0xE000...0xFFFF, 0x10000...0x10FFFF,
    ]
    let texts = (0..<3000).map { _ in
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...12, using: &numbers) {
        let range = ranges[Int.random(in: ranges.indices, using: &numbers)]
        let codes = Bool.random(using: &numbers) ? range : ranges[0]
        if let scalar = Unicode.Scalar(UInt32.random(in: codes, using: &numbers)) {
          text.append(scalar)
        }
      }
      return String(text)
    }
    try compare(texts, seed)
  }

  @Test("every scalar up to 0x2FFFF, alone and between letters, has the role that it has in SQLite")
  func scalars() throws {
    for start in stride(from: UInt32(0), to: 0x30000, by: 0x10000) {
      let texts = (start..<start + 0x10000).compactMap { Unicode.Scalar($0) }.map {
        "x\($0)y \($0)"
      }
      try compare(texts)
    }
  }

  @Test(
    "random queries are valid in FTS5, and find the same texts there as in memory",
    arguments: 1...4 as ClosedRange<UInt64>)
  func randomQueries(_ seed: UInt64) throws {
    var numbers = SearchNumbers(seed)
    let pieces = [
      "a", "b", "ab", "abc", "É", "e", "*", "\"", " ", " ", " ", "OR", "NOT", "AND", "(", ")", ":",
      "-",
      "^", "+", "NEAR(", "x:", "{", "}", "'", "\u{0}", "\u{301}", "😀", ",", "10",
    ]
    func text(_ count: ClosedRange<Int>) -> String {
      (0..<Int.random(in: count, using: &numbers)).map { _ in
        pieces[Int.random(in: pieces.indices, using: &numbers)]
      }.joined()
    }
    let texts = (0..<200).map { _ in text(0...30) }
    let tokenizer = try Tokenizer()
    try tokenizer.fill(texts)
    for _ in 0..<1500 {
      let query = TextQuery(text(0...14))
      let expected = texts.indices.filter { query.matches(texts[$0]) }
      for columns in [nil, ["x"]] {
        let found = try tokenizer.rows(matching: query.expression(columns: columns))
        #expect(found == expected, "\(query.text.debugDescription), seed \(seed)")
      }
    }
  }

  @Test("SQLite accepts a query of thousands of words")
  func longQueries() throws {
    let tokenizer = try Tokenizer()
    try tokenizer.fill(["word7 and word8", "other"])
    let words = (0..<5000).map { "word\($0)" }
    for separator in [" OR ", " "] {
      let query = TextQuery(words.joined(separator: separator))
      let found = try tokenizer.rows(matching: query.expression(columns: ["x"]))
      #expect(found == (separator == " OR " ? [0] : []))
    }
    let excluding = TextQuery("word7" + words.dropFirst(20).map { " NOT \($0)" }.joined())
    #expect(try tokenizer.rows(matching: excluding.expression(columns: nil)) == [0])
  }

  @Test("a word has at most 32,768 bytes, as in SQLite")
  func longWord() throws {
    let long = String(repeating: "é", count: 40_000)
    try compare([long, String(repeating: "日", count: 20_000) + " a"])
    #expect(WordList(long).words.first?.utf8.count == 32_768)
  }
}

/// Numbers that follow from a seed.
private struct SearchNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
