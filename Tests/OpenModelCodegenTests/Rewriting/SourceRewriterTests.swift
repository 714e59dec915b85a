import OpenSourceRewriter
import Testing

/// Rewriting of whole files.
@Suite struct SourceRewriterTests {
  @Test("sources that need no change stay byte for byte")
  func unchanged() throws {
    let source = """
      // @NSManaged in a comment, #keyPath(A.b) too\r
      let text = "@objc(Name) #keyPath(A.b)"\t
      let raw = #"@NSManaged"#, regex = /@objc/, path = \\A.b
      @available(iOS 13, *) @MainActor   class B {  /* @objc */ }
      #if canImport(UIKit)
      import UIKit
      #endif
      let block: @convention(block) () -> Void = {}
      """
    #expect(try result(source).hasSuffix("line: 1)\n" + source))
    #expect(try result("") == "#sourceLocation(file: \"A.swift\", line: 1)\n")
  }

  @Test("whether a class is managed is seen across files")
  func acrossFiles() throws {
    let texts = try SourceRewriter.rewrite([
      SourceText(path: "A.swift", text: "@objc(X) class A: Middle {}"),
      SourceText(path: "B.swift", text: "class Middle: Root {}"),
      SourceText(path: "C.swift", text: "class Root: Elsewhere {}"),
      SourceText(path: "D.swift", text: "extension Root { @NSManaged var a: Int }"),
      SourceText(path: "E.swift", text: "@objc(Y) class Other: Unknown {}"),
    ])
    #expect(texts[0].hasSuffix("@ManagedObject(\"X\") class A: Middle {}"))
    #expect(
      texts[4].hasSuffix("\nclass Other: Unknown { private final class __ManagedClassName_Y {};}"))
  }

  @Test("classes that inherit in a circle do no harm")
  func circle() throws {
    let source = "class A: B {}; class B: A {}; @objc(N) class C: C { @NSManaged var a: Int }"
    #expect(try result(source).contains("@ManagedObject(\"N\") class C: C"))
  }

  @Test("a path with quotation marks stays one text; a byte order mark goes")
  func paths() throws {
    let texts = try SourceRewriter.rewrite([
      SourceText(path: "a\"b\\c.swift", text: "\u{FEFF}let x = 1\n")
    ])
    #expect(texts == ["#sourceLocation(file: \"a\\\"b\\\\c.swift\", line: 1)\nlet x = 1\n"])
  }

  @Test(
    "sources that do not parse are rejected with file and line",
    arguments: [
      ("let a = \"never closed\nlet b = 1", 1), ("class A {\n  func a() {\n", 2),
      ("let a = 1\n/* never closed", 2), ("class A {\n @objc(\n", 2), ("let x = )", 1),
      ("\n\nlet text = \"\"\"\n open", 4), ("@NSManaged", 1),
    ])
  func unparsable(_ source: String, _ line: Int) throws {
    let problem = try #require(try failure(source)?.problems.first)
    #expect(problem.path == "A.swift")
    #expect(problem.line == line)
    #expect(problem.description.hasPrefix("A.swift:\(line):"))
  }

  @Test("all files are checked before the errors are reported")
  func severalFailures() throws {
    do {
      _ = try SourceRewriter.rewrite(
        ["A", "B"].map { SourceText(path: "\($0).swift", text: "class {") })
      Issue.record("no error")
    } catch {
      #expect(Set(error.problems.map(\.path)) == ["A.swift", "B.swift"])
    }
  }

  @Test(
    "an ambiguous key path is rejected",
    arguments: ["#keyPath(f().a)", "#keyPath()", "#keyPath(A.b[0])", "#keyPath(A.b, A.c)"])
  func keyPaths(_ source: String) throws {
    let problem = try #require(try failure("let x = 1\nlet y = \(source)")?.problems.first)
    #expect(problem.line == 2)
  }

  @Test(
    "deep nesting is an error, not the end of the program",
    arguments: [
      ("", "(", ""), ("", "{", ""), ("a", ".b", ""), ("#keyPath(A", ".b", ")"),
      ("a", "?.b()[0]", ""),
    ])
  func deepNesting(_ start: String, _ unit: String, _ end: String) throws {
    let expression = start + String(repeating: unit, count: 10_000) + end
    #expect(try failure("let a = " + expression) != nil)
  }

  @Test("long handwritten chains and sums are not deep nesting")
  func longChains() throws {
    _ = try result("let a = b" + String(repeating: ".c(1)", count: 900))
    _ = try result("let a = 0" + String(repeating: " + 1", count: 10_000))
  }

  private func result(_ source: String) throws -> String {
    try #require(try SourceRewriter.rewrite([SourceText(path: "A.swift", text: source)]).first)
  }

  private func failure(_ source: String) throws -> RewriteError? {
    do {
      _ = try SourceRewriter.rewrite([SourceText(path: "A.swift", text: source)])
      return nil
    } catch {
      return error
    }
  }
}
