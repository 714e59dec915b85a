import Foundation
import OpenPredicates
import Testing

private final class Foo {
  var flag = false
  var date: Date?
  var name = ""
  var number: Int32 = 0

  init(_ flag: Bool, _ date: Double?, _ name: String, _ number: Int32) {
    self.flag = flag
    self.date = date.map(Date.init(timeIntervalSinceReferenceDate:))
    self.name = name
    self.number = number
  }
}

@Suite struct FoundationFaceTests {
  @Test("the initializers of Apple's NSPredicate work together with Foundation")
  func predicates() {
    let three = 3
    let predicate = NSPredicate(format: "a == %@ AND b > %d", "x", three)
    #expect(predicate.evaluate(with: ["a": "x", "b": 4]))
    #expect(!predicate.evaluate(with: ["a": "x", "b": 3]))
    let date = NSPredicate(format: "d < %@", Date() as NSDate)
    #expect(date.evaluate(with: ["d": Date.distantPast]))
    #expect(
      NSPredicate(format: "d < %@", Date() as any CVarArg).evaluate(with: ["d": Date.distantPast]))
    #expect(NSPredicate(format: "SELF IN %@", [1, 2]).evaluate(with: 2))
    #expect(NSPredicate(format: "SELF IN %@", Set(["a"])).evaluate(with: "a"))
    #expect(NSPredicate(format: "SELF == %@", NSNull()).evaluate(with: nil))
    #expect(NSPredicate(format: "a = %@", argumentArray: ["x"]).evaluate(with: ["a": "x"]))
    #expect(NSPredicate(format: "TRUEPREDICATE", argumentArray: nil).evaluate(with: nil))
    #expect(NSPredicate(format: "a == %@", true as NSNumber).evaluate(with: ["a": 1]))
  }

  @Test("argument lists keep the types of their values")
  func argumentLists() throws {
    let object: [String: Any] = [
      "a": "x", "b": 2.5, "c": UUID.init(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") as Any,
    ]
    let uuid = try #require(object["c"] as? UUID)
    let arguments: [any CVarArg] = ["x", 2.5, uuid]
    let list = getVaList(arguments)
    for _ in 0..<2 {
      #expect(
        NSPredicate(format: "a == %@ AND b == %f AND c == %@", arguments: list).evaluate(
          with: object))
    }
    #expect(
      withVaList(["x"]) { NSPredicate(format: "a == %@", arguments: $0) }.evaluate(with: object))
    #expect(NSPredicate(format: "TRUEPREDICATE", arguments: getVaList([])).evaluate(with: nil))
    for index in 0..<5_000 {
      #expect(
        NSPredicate(format: "SELF == %d", arguments: getVaList([index])).evaluate(with: index))
    }
  }

  @Test("an argument list can be read by C functions")
  func argumentListInC() {
    var buffer = [CChar](repeating: 0, count: 64)
    let values: [any CVarArg] = [7, 1.5, Int32(-3), 8, 9, 10, 11, 2.25, UInt8(5)]
    let count = vsnprintf(
      &buffer, buffer.count, "%ld %.2f %d %ld %ld %ld %ld %.2f %d", getVaList(values))
    let text = String(
      decoding: buffer.prefix(Int(count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    #expect(text == "7 1.50 -3 8 9 10 11 2.25 5")
  }

  @Test("an argument list that the library did not create is an error")
  func unknownList() {
    let predicate = Swift.withVaList([1]) { NSPredicate(format: "SELF == %d", arguments: $0) }
    guard case .invalid(let error) = predicate.form else {
      Issue.record("The list must not be readable.")
      return
    }
    #expect(error.code == .unknownArgumentList)
    #expect(!predicate.evaluate(with: 1))
  }

  @Test("an invalid format creates a predicate that is always false and has an error")
  func badFormat() {
    let predicate = NSPredicate(format: "a ==")
    #expect(!predicate.evaluate(with: ["a": 1]))
    guard case .invalid(let error) = predicate.form else {
      Issue.record("The format must not parse.")
      return
    }
    #expect(error.code == .unexpectedEnd)
  }

  @Test("predicates are compared by their meaning")
  func equality() {
    #expect(NSPredicate(format: "a == 1") == NSPredicate(format: "a = 1"))
    #expect(NSPredicate(format: "a == %d", 1) == NSPredicate(format: "a = 1"))
    #expect(NSPredicate(format: "a == %@", "x") != NSPredicate(format: "a == %@", "y"))
    #expect(NSPredicate(format: "a == %d", 1).hash == NSPredicate(format: "a = 1").hash)
    let (one, other) = (NSObject(), NSObject())
    #expect(NSPredicate(format: "a == %@", one) == NSPredicate(format: "a == %@", one))
    #expect(NSPredicate(format: "a == %@", one) != NSPredicate(format: "a == %@", other))
    let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [
      NSPredicate(format: "a == 1"), NSPredicate(format: "b == 2"),
    ])
    #expect(NSPredicate(format: "a == 1 AND b == 2").hasSameMeaning(as: compound))
    #expect(!NSPredicate(format: "a == 1 OR b == 2").hasSameMeaning(as: compound))
    let same = NSCompoundPredicate(
      type: .and, subpredicates: compound.subpredicates)
    let swapped = NSCompoundPredicate(orPredicateWithSubpredicates: [compound])
    #expect(compound == same)
    #expect(compound != swapped)
    #expect(NSPredicate(format: "a == 1 AND b == 2") == compound)
    let (some, none): (NSPredicate?, NSPredicate?) = (compound, nil)
    #expect(some == same as NSPredicate? && some != swapped && some != none && none == nil)
    #expect("\(compound)" == "a == 1 AND b == 2")
    #expect("\(NSPredicate(format: "a = 1"))" == "a == 1")
    let copy = NSPredicate(format: "a == 1").copy() as? NSPredicate
    #expect(copy == NSPredicate(format: "a == 1"))
  }

  @Test("the form describes a predicate's meaning")
  func forms() {
    if case .constant(true) = NSPredicate(value: true).form {} else { Issue.record("constant") }
    if case .constant(false) = NSPredicate(value: false).form {} else { Issue.record("constant") }
    if case .block = NSPredicate(block: { _, _ in true }).form {} else { Issue.record("block") }
    let compound = NSCompoundPredicate(
      notPredicateWithSubpredicate: NSPredicate(format: "a == %d", 5))
    guard case .compound(.not, let parts) = compound.form,
      case .template(let template, let arguments, _)? = parts.first
    else {
      Issue.record("compound")
      return
    }
    #expect(template.argumentCount == 1)
    #expect(arguments.count == 1)
    #expect(compound.evaluate(with: ["a": 6]))
  }

  @Test("variables are substituted when evaluating or before")
  func variables() {
    let predicate = NSPredicate(format: "a == $X")
    #expect(predicate.evaluate(with: ["a": 1], substitutionVariables: ["X": 1]))
    #expect(predicate.withSubstitutionVariables(["X": 1]).evaluate(with: ["a": 1]))
    #expect(!predicate.evaluate(with: ["a": 1]))
    let compound = NSCompoundPredicate(orPredicateWithSubpredicates: [predicate])
    #expect(compound.withSubstitutionVariables(["X": 2]).evaluate(with: ["a": 2]))
  }

  @Test("sort descriptors sort by key and by key path of any type")
  func sorting() {
    let foos = [Foo(true, 5, "b", 2), Foo(false, nil, "a", 3), Foo(true, 1, "c", 1)]
    func names(_ descriptor: NSSortDescriptor) -> String {
      NSArray(array: foos).sortedArray(using: [descriptor]).compactMap { ($0 as? Foo)?.name }
        .joined()
    }
    #expect(names(NSSortDescriptor(keyPath: \Foo.name, ascending: true)) == "abc")
    #expect(names(NSSortDescriptor(keyPath: \Foo.number, ascending: false)) == "abc")
    #expect(names(NSSortDescriptor(keyPath: \Foo.date, ascending: true)) == "acb")
    #expect(names(NSSortDescriptor(keyPath: \Foo.flag, ascending: false)).hasSuffix("a"))
    let rows: [[String: Any]] = [["a": 2], ["a": 1], [:]]
    let descriptor = NSSortDescriptor(key: "a", ascending: false)
    let sorted = rows.sorted { descriptor.compare($0, to: $1) == .orderedAscending }
    #expect(sorted.map { $0["a"] as? Int } == [2, 1, nil])
  }

  @Test("sort descriptors know their key")
  func sortKeys() {
    let keyed = NSSortDescriptor(key: "a.b", ascending: true)
    #expect(keyed.key == "a.b")
    #expect(keyed.ascending)
    #expect(keyed.sortKey == .key("a.b"))
    #expect(NSSortDescriptor(key: nil, ascending: true).sortKey == SortKey.none)
    #expect(NSSortDescriptor(keyPath: \Foo.flag, ascending: true).sortKey == .keyPath(\Foo.flag))
    #expect(NSSortDescriptor(keyPath: \Foo.name, ascending: true).sortKey == .keyPath(\Foo.name))
    #expect(NSSortDescriptor(keyPath: \Foo.flag, ascending: true).key == nil)
    #expect(keyed == NSSortDescriptor(key: "a.b", ascending: true))
    #expect(keyed != NSSortDescriptor(key: "a.b", ascending: false))
    let reversed = keyed.reversedSortDescriptor as? NSSortDescriptor
    #expect(reversed == NSSortDescriptor(key: "a.b", ascending: false))
    #expect((keyed.copy() as? NSSortDescriptor) == keyed)
  }

  @Test("sort descriptors compare strings by the specified comparison")
  func sortComparisons() {
    func order(_ comparison: SortComparison, _ one: String, _ other: String) -> ComparisonResult {
      NSSortDescriptor(key: "self", ascending: true, comparison: comparison)
        .compare(one, to: other)
    }
    #expect(order(.plain, "b", "A") == .orderedDescending)
    #expect(order(.caseInsensitive, "a", "A") == .orderedSame)
    #expect(order(.localizedStandard, "File 9", "file 10") == .orderedAscending)
    let custom = NSSortDescriptor(key: "a", ascending: true) { _, _ in .orderedDescending }
    #expect(custom.compare(["a": 1], to: ["a": 2]) == .orderedDescending)
    #expect(custom.sortComparison == .comparator)
  }
}
