import Foundation
import OpenPredicates
import Testing

/// Apple, NSKeyValueCoding: value(forKey:) and value(forKeyPath:) of collections.
@Suite("Values of the members of Foundation's collections")
struct KeyValueCollectionTests {
  private struct Coin: KeyValueReadable {
    let name: String
    let worth: Int?

    func readableValue(forKey key: String) -> Any? {
      switch key {
      case "name": name
      case "worth": worth
      default: NoSuchKey.marker
      }
    }
  }

  private let coins: [Any] = [
    Coin(name: "cent", worth: 1), Coin(name: "penny", worth: 1), Coin(name: "token", worth: nil),
  ]

  @Test("an array has one value for each member, and NSNull for nil")
  func array() throws {
    let array = NSArray(array: coins)
    #expect(array.value(forKey: "name") as? [String] == ["cent", "penny", "token"])
    let worths = try #require(array.value(forKey: "worth") as? [Any])
    #expect(worths.map { $0 as? Int } == [1, 1, nil])
    #expect(worths.last is NSNull)
    #expect(array.value(forKeyPath: "name.length") as? [Int] == [4, 5, 5])
  }

  @Test("sets contain each distinct value once and omit nil; ordered sets keep the order")
  func sets() {
    let words = ["bee", "ant", "a"]
    #expect(NSSet(array: words).value(forKey: "length") as? NSSet == NSSet(array: [3, 1]))
    let ordered = NSOrderedSet(array: words).value(forKey: "length") as? NSOrderedSet
    #expect(ordered == NSOrderedSet(array: [3, 1]))
  }

  @Test("collection operators compute one value")
  func operators() {
    let array = NSArray(array: coins)
    #expect(array.value(forKey: "@count") as? Int == 3)
    #expect(array.value(forKeyPath: "@sum.worth") as? Int == 2)
    #expect(array.value(forKeyPath: "@max.worth") as? Int == 1)
    #expect(NSArray().value(forKeyPath: "@max.worth") == nil)
  }

  @Test("a member without the key counts as a member whose value is nil (D-006)")
  func unknownKey() {
    let values = NSArray(array: coins).value(forKey: "weight") as? [Any]
    #expect(values?.count == 3)
    #expect(values?.allSatisfy { $0 is NSNull } == true)
  }
}
