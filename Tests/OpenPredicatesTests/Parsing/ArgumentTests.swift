import Foundation
import OpenPredicates
import Testing

@Suite struct ArgumentTests {
  @Test("the numbers of value specifiers exclude key specifiers")
  func numbering() throws {
    let root = try tree("%K == %@ AND %K > %ld", ["a", 1, "b.c", 2])
    #expect(
      root
        == .and([
          compare(key("a"), .equal, .argument(0)),
          compare(key("b", "c"), .greaterThan, .argument(1)),
        ]))
  }

  @Test(
    "every number specifier takes an argument",
    arguments: [
      "%d", "%i", "%u", "%ld", "%lu", "%lld", "%llu", "%hd", "%hhd", "%qi", "%zd", "%f", "%lf",
      "%g", "%e", "%.2f", "%c", "%@", "%x",
    ])
  func specifiers(_ specifier: String) throws {
    #expect(try tree("a == \(specifier)", [3]) == compare(key("a"), .equal, .argument(0)))
    #expect(try holds("a == \(specifier)", [3], for: ["a": 3]))
  }

  @Test("nothing is substituted inside quotes")
  func quotes() throws {
    #expect(try tree("name == '%@'") == compare(key("name"), .equal, text("%@")))
  }

  @Test("keys can be joined by dots, be reserved words or begin with SELF")
  func keys() throws {
    #expect(try tree("%K.%K == 1", ["a", "b"]) == compare(key("a", "b"), .equal, int(1)))
    #expect(try tree("a.%K == 1", ["b.@count"]) == compare(key("a", "b", "@count"), .equal, int(1)))
    #expect(try tree("%K == 1", ["size"]) == compare(key("size"), .equal, int(1)))
    #expect(try tree("%K == 1", ["SELF.a"]) == compare(key("a"), .equal, int(1)))
    #expect(try tree("%K == 1", ["self"]) == compare(.evaluatedObject, .equal, int(1)))
    #expect(try makePredicate("%K == 1", ["size"]).canonicalFormat == "#size == 1")
    #expect(
      try tree("SUBQUERY(%K, $x, $x.%K == 1).@count > 0", ["a", "b"])
        == tree("SUBQUERY(a, $x, $x.b == 1).@count > 0"))
  }

  @Test("predicates of one format and the same keys share a template")
  func sharing() throws {
    func identity(_ format: String, _ arguments: [Any?]) throws -> UInt64 {
      guard case .template(let template, _, _) = try makePredicate(format, arguments).form else {
        throw UnexpectedForm()
      }
      #expect(template.identity > 0)
      return template.identity
    }
    let format = "shared.%K == %@"
    #expect(try identity(format, ["a", 1]) == identity(format, ["a", 2]))
    #expect(try identity(format, ["a", 1]) != identity(format, ["b", 1]))
    #expect(try identity("shared == %@", [1]) == identity("shared == %@", ["x"]))
    #expect(try identity("shared == %@", [1]) != identity("shared == 1", []))
  }

  @Test("templates are shared by threads")
  func threads() async throws {
    let identities = await withTaskGroup(of: UInt64?.self) { group in
      for index in 0..<64 {
        group.addTask {
          let predicate = NSPredicate(format: "threads.%K == %d", "k\(index % 4)", index)
          guard case .template(let template, _, _) = predicate.form else { return nil }
          return template.identity
        }
      }
      return await group.reduce(into: Set<UInt64?>()) { $0.insert($1) }
    }
    #expect(identities.count == 4)
    #expect(!identities.contains(nil))
  }

  @Test("many keys and formats do not exhaust the cache")
  func manyFormats() throws {
    for index in 0..<6_000 {
      #expect(try holds("a\(index) == %d", [index], for: ["a\(index)": index]))
      #expect(try holds("%K == %d", ["b\(index)", index], for: ["b\(index)": index]))
    }
  }
}
