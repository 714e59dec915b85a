import Foundation
import OpenPredicates
import Testing

@Suite struct ReportingEvaluationTests {
  private struct Track: KeyValueReadable {
    var title: String? = "Blue"

    func readableValue(forKey key: String) -> Any? {
      key == "title" ? title as Any? : NoSuchKey.marker
    }
  }

  private func failure(
    _ format: String, _ arguments: [Any?] = [], of object: Any?
  ) throws -> PredicateEvaluationError? {
    let predicate = try NSPredicate.parsing(format, arguments)
    do throws(PredicateEvaluationError) {
      _ = try predicate.evaluating(with: object)
      return nil
    } catch {
      return error
    }
  }

  @Test("an unknown key counts as nil, and is named by an evaluation that throws")
  func unknownKeys() throws {
    #expect(NSPredicate(format: "colour == nil").evaluate(with: Track()))
    let error = try failure("title == 'Blue' AND colour == 'x'", of: Track())
    #expect(error?.code == .unknownKey)
    #expect(error?.name == "colour")
    #expect(error?.description.contains("Track") == true)
    #expect(try failure("title.size == 3", of: Track())?.name == "size")
    #expect(try failure("title.@count == 3", of: Track())?.code == .typeMismatch)
    #expect(try failure("title == nil", of: Track(title: nil)) == nil)
    #expect(try failure("colour == nil", of: ["title": 1]) == nil)
    #expect(try failure("ANY tracks.colour == 1", of: ["tracks": [Track()]])?.name == "colour")
    #expect(try failure("a.b == nil", of: ["a": NSNull()]) == nil)
  }

  @Test("sides that do not fit are false, and reported by an evaluation that throws")
  func mismatches() throws {
    let row: [String: Any] = ["n": 1, "t": "x", "d": Data([1]), "l": [1]]
    for format in [
      "n BEGINSWITH 'x'", "n LIKE 'x'", "n MATCHES 'x'", "n CONTAINS 1", "n IN 2", "n BETWEEN 3",
      "d < 3", "l < 3", "n BETWEEN {1, 2, 3}", "n BETWEEN {1, l}",
    ] {
      #expect(try holds(format, for: row) == false, "\(format)")
      #expect(try failure(format, of: row)?.code == .typeMismatch, "\(format)")
    }
    for format in ["n > 0", "t < 'y'", "nil < n", "n IN l", "n BETWEEN {nil, 3}", "d == 3"] {
      #expect(try failure(format, of: row) == nil, "\(format)")
    }
  }

  @Test("unbound variables, unknown functions and bad formats are reported")
  func others() throws {
    let variable = try failure("a == $X", of: ["a": 1])
    #expect(variable?.code == .unboundVariable)
    #expect(variable?.name == "X")
    #expect(
      try NSPredicate.parsing("a == $X")
        .evaluating(with: ["a": 1], substitutionVariables: ["X": 1]))
    let function = try failure("FUNCTION(a, 'noSuchFunctionForTests:') == 1", of: ["a": 1])
    #expect(function?.code == .unknownFunction)
    let format = #expect(throws: PredicateEvaluationError.self) {
      try NSPredicate(format: "a ==").evaluating(with: nil)
    }
    #expect(format?.code == .invalidPredicate)
    #expect(format?.underlying?.code == .unexpectedEnd)
    let pattern = try failure("SELF MATCHES %@", ["["], of: "[")
    #expect(pattern?.underlying?.code == .invalidRegularExpression)
  }

  @Test("compounds, constants and blocks are evaluated, with the failures of their parts")
  func compounds() throws {
    let part = NSPredicate(format: "colour == 1")
    let compound = NSCompoundPredicate(orPredicateWithSubpredicates: [
      NSPredicate(value: false), NSCompoundPredicate(notPredicateWithSubpredicate: part),
    ])
    #expect(throws: PredicateEvaluationError.self) { try compound.evaluating(with: Track()) }
    #expect(try compound.evaluating(with: ["colour": 2]))
    #expect(try NSPredicate { object, _ in object is Track }.evaluating(with: Track()))
    #expect(try NSPredicate(value: true).evaluating(with: nil))
  }

  @Test("a regular expression that would run without end is stopped, and reported")
  func catastrophicPattern() throws {
    let text = String(repeating: "a", count: 40) + "b"
    #expect(try holds("SELF MATCHES '(a+)+'", for: text) == false)
    #expect(
      try failure("SELF MATCHES '(a+)+'", of: text)?.underlying?.code == .costlyRegularExpression)
  }
}

@Suite struct RegisteredFunctionTests {
  @Test("FUNCTION calls the registered function, with the target first")
  func functions() throws {
    let name = "substringToForTests:"
    PredicateFunctions.register(name) { operands in
      guard operands.count == 2, let text = operands[0] as? String, let length = operands[1] as? Int
      else { return nil }
      return String(text.prefix(length))
    }
    defer { PredicateFunctions.unregister(name) }
    #expect(PredicateFunctions.isRegistered(name))
    #expect(try holds("FUNCTION('hello', 'substringToForTests:', 1) == 'h'", for: nil))
    #expect(
      try holds("FUNCTION(a, 'substringToForTests:', n + 1) == 'he'", for: ["a": "hello", "n": 1]))
    #expect(try holds("FUNCTION(a, 'substringToForTests:') == nil", for: ["a": "hello"]))
    let expression = OpenPredicates.NSExpression(
      forFunction: OpenPredicates.NSExpression(forKeyPath: "a"), selectorName: name, arguments: [3])
    #expect(expression.function == name)
    #expect(expression.operand.keyPath == "a")
    #expect(expression.arguments?.count == 1)
    #expect(expression.expressionValue(with: ["a": "hello"], context: nil) as? String == "hel")
  }

  @Test("a function that is not registered is nil, and built-in ones cannot be replaced")
  func unknown() throws {
    #expect(!PredicateFunctions.isRegistered("noSuchFunctionForTests:"))
    #expect(try holds("FUNCTION(a, 'noSuchFunctionForTests:') == nil", for: ["a": 1]))
    PredicateFunctions.register("abs:") { _ in 99 }
    defer { PredicateFunctions.unregister("abs:") }
    #expect(try holds("abs:(-3) == 3", for: nil))
  }

  @Test("functions are registered and called by many threads at once")
  func threads() async {
    let sums = await withTaskGroup(of: Bool.self) { group in
      for index in 0..<32 {
        group.addTask {
          let name = "threadForTests\(index):"
          PredicateFunctions.register(name) { _ in index }
          defer { PredicateFunctions.unregister(name) }
          return NSPredicate(format: "FUNCTION(SELF, %@) == %d", name, index).evaluate(with: 1)
            || NSPredicate(format: "FUNCTION(SELF, '\(name)') == %d", index).evaluate(with: 1)
        }
      }
      return await group.reduce(into: [Bool]()) { $0.append($1) }
    }
    #expect(sums.allSatisfy { $0 })
  }
}
