import Foundation
import OpenPredicates
import Testing

@Suite struct SortDescriptorTests {
  @Test(
    "each of Apple's selectors for sorting is known by its name",
    arguments: [
      ("compare:", SortComparison.plain), ("caseInsensitiveCompare:", .caseInsensitive),
      ("localizedCompare:", .localized),
      ("localizedCaseInsensitiveCompare:", .localizedCaseInsensitive),
      ("localizedStandardCompare:", .localizedStandard),
    ])
  func selectors(_ name: String, _ comparison: SortComparison) {
    let descriptor = NSSortDescriptor(key: "a", ascending: true, selectorName: name)
    #expect(descriptor.sortComparison == comparison)
    #expect(descriptor.selectorName == name)
    #expect(descriptor == NSSortDescriptor(key: "a", ascending: true, comparison: comparison))
    let reversed = descriptor.reversedSortDescriptor as? NSSortDescriptor
    #expect(reversed?.selectorName == name)
    #expect(reversed?.ascending == false)
  }

  @Test("another selector is a registered function; without one all values are the same")
  func registeredSelectors() {
    let name = "compareLengthForTests:"
    PredicateFunctions.register(name) { operands in
      let lengths = operands.map { ($0 as? String)?.count ?? 0 }
      return lengths.count == 2 ? lengths[0] - lengths[1] : nil
    }
    defer { PredicateFunctions.unregister(name) }
    let descriptor = NSSortDescriptor(key: "self", ascending: true, selectorName: name)
    #expect(descriptor.compare("aaa", to: "b") == .orderedDescending)
    #expect(descriptor.sortComparison == .comparator)
    #expect(descriptor.selectorName == name)
    #expect(descriptor == NSSortDescriptor(key: "self", ascending: true, selectorName: name))
    #expect(descriptor != NSSortDescriptor(key: "self", ascending: true, selectorName: "x:"))
    let unknown = NSSortDescriptor(key: "self", ascending: false, selectorName: "x:")
    #expect(unknown.compare("aaa", to: "b") == .orderedSame)
  }

  @Test("null sorts first, and unordered values keep their positions")
  func nulls() {
    let descriptor = NSSortDescriptor(key: "a", ascending: true)
    #expect(descriptor.compare(["a": NSNull()], to: ["a": 1]) == .orderedAscending)
    #expect(descriptor.compare([String: Any](), to: ["a": 1]) == .orderedAscending)
    #expect(descriptor.compare(["a": Data()], to: ["a": 1]) == .orderedSame)
    #expect(descriptor.compare(["a": NSObject()], to: ["a": NSObject()]) == .orderedSame)
    #expect(descriptor.compare(1, to: 2) == .orderedSame)
  }

  @Test("a comparator of a key path gets the values; descriptors with comparators differ")
  func comparators() {
    let descriptor = NSSortDescriptor(keyPath: \String.count, ascending: false) { one, other in
      NSNumber(value: one as? Int ?? 0).compare(NSNumber(value: other as? Int ?? 0))
    }
    #expect(descriptor.compare("a", to: "bbb") == .orderedDescending)
    let other = NSSortDescriptor(key: "a", ascending: true) { _, _ in .orderedSame }
    #expect(other == other)
    #expect(other.selectorName == nil)
    #expect(other != NSSortDescriptor(key: "a", ascending: true) { _, _ in .orderedSame })
  }
}
