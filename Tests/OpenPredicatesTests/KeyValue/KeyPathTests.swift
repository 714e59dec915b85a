import Foundation
import OpenPredicates
import Testing

/// A class of Foundation's kind with readable properties.
private final class Owner: NSObject, KeyValueReadable {
  let name: String
  let pets: [Pet]

  init(_ name: String, _ pets: [Pet]) {
    self.name = name
    self.pets = pets
  }

  func readableValue(forKey key: String) -> Any? {
    switch key {
    case "name": name
    case "pets": pets
    default: NoSuchKey.marker
    }
  }
}

/// A structure with an optional property.
private struct Pet: KeyValueReadable {
  let kind: String
  let weight: Double?
  var toys: [String] = []

  func readableValue(forKey key: String) -> Any? {
    switch key {
    case "kind": kind
    case "weight": weight
    case "toys": toys
    default: NoSuchKey.marker
    }
  }
}

/// A value of a type that predicates do not know.
private struct Place: Hashable {
  let x: Int
}

@Suite struct KeyPathTests {
  private let owners = [
    Owner(
      "Ada", [Pet(kind: "cat", weight: 4, toys: ["ball", "bell"]), Pet(kind: "dog", weight: 20)]),
    Owner("Bob", [Pet(kind: "cat", weight: nil, toys: ["ball"])]),
  ]

  @Test("paths lead through classes, structures, dictionaries and collections")
  func paths() {
    let house: [String: Any] = [
      "owner": owners[0], "all": NSArray(array: owners), "set": NSSet(array: owners),
      "ordered": NSOrderedSet(array: owners), "dictionary": NSDictionary(dictionary: ["x": 1]),
      "null": NSNull(),
    ]
    #expect(house.readableValue(forKeyPath: "owner.name") as? String == "Ada")
    #expect(house.readableValue(forKeyPath: "all.name") as? [String] == ["Ada", "Bob"])
    #expect(house.readableValue(forKeyPath: "ordered.name") as? [String] == ["Ada", "Bob"])
    #expect(house.readableValue(forKeyPath: "set.@count") as? Int == 2)
    #expect(house.readableValue(forKeyPath: "dictionary.x") as? Int == 1)
    #expect(house.readableValue(forKeyPath: "null.x.y") == nil)
    #expect(house.readableValue(forKeyPath: "owner.nothing") == nil)
    #expect(house.readableValue(forKeyPath: "owner.nothing.@count") == nil)
    #expect(house.readableValue(forKeyPath: "") == nil)
    #expect(house.readableValue(forKeyPath: "...") != nil)
    #expect(owners[0].readableValue(forKey: "nothing") is NoSuchKey)
  }

  @Test("operators reduce a collection, before and after the steps to which they apply")
  func operators() throws {
    let house: [String: Any] = ["owners": owners, "pets": owners[0].pets, "empty": [Any]()]
    for format in [
      "owners.@count == 2", "pets.@sum.weight == 24", "pets.weight.@sum == 24",
      "pets.@avg.weight == 12", "pets.weight.@avg == 12", "pets.@min.weight == 4",
      "pets.@max.weight == 20", "pets.weight.@max == 20", "empty.@max.weight == nil",
      "empty.@avg.weight == nil", "empty.@sum.weight == 0", "pets.@unionOfObjects.kind.@count == 2",
      "owners.@unionOfArrays.pets.@count == 3", "owners.@distinctUnionOfArrays.pets.kind != nil",
      "pets.kind.@distinctUnionOfObjects.@count == 2",
      "pets.@distinctUnionOfArrays.toys.@count == 2", "ANY owners.pets.kind == 'dog'",
      "pets.@noSuchOperator.kind == nil", "name.@count == nil",
    ] {
      if let predicate = try? NSPredicate.parsing(format) {
        #expect(predicate.evaluate(with: house), "\(format)")
      } else {
        #expect(format.contains("noSuch"), "\(format)")
      }
    }
    let sets: [String: Any] = ["groups": NSSet(array: [["s": Set([1, 2])], ["s": Set([2, 3])]])]
    #expect(try holds("groups.@distinctUnionOfSets.s.@count == 3", for: sets))
    #expect(try holds("groups.@unionOfArrays.s.@count == 4", for: sets))
    let stops = [["place": Place(x: 1)], ["place": Place(x: 1)], ["place": Place(x: 2)]]
    #expect(
      try holds("stops.@distinctUnionOfObjects.place.@count == 2", for: ["stops": stops]))
  }

  @Test("ANYKEY tests all values of a dictionary")
  func anyKey() throws {
    #expect(try holds("ANYKEY == 3", for: ["a": 1, "b": 3]))
    #expect(try holds("ANYKEY CONTAINS 'x'", for: ["a": "wx"] as NSDictionary))
    #expect(try holds("ANYKEY == 4", for: ["a": 1]) == false)
    #expect(try holds("ANYKEY == 4", for: owners[0]) == false)
  }

  @Test("dictionaries of any type have readable keys, also inside Foundation's collections")
  func dictionaries() throws {
    let rows: NSArray = [["n": 2], ["n": 1], ["n": 3]]
    let large = NSPredicate(format: "n > 1")
    let byNumber = NSSortDescriptor(key: "n", ascending: true)
    #expect(rows.filtered(using: large).count == 2)
    #expect(NSOrderedSet(array: rows.map { $0 }).filtered(using: large).count == 2)
    let sorted = rows.sortedArray(using: [byNumber])
    #expect(sorted.compactMap { ($0 as? [AnyHashable: Any])?["n"] as? Int } == [1, 2, 3])
    let house: [String: Any] = [
      "rows": rows, "set": NSSet(array: rows.map { $0 }),
      "dictionary": ["sub": ["x": 1]] as NSDictionary,
    ]
    for format in [
      "ANY rows.n == 3", "rows.@sum.n == 6", "SUBQUERY(rows, $r, $r.n > 1).@count == 2",
      "rows[0].n == 2", "ANY set.n == 3", "set.@max.n == 3", "dictionary.sub.x == 1",
      "dictionary.sub['x'] == 1",
    ] {
      #expect(try holds(format, for: house), "\(format)")
    }
    let bridged = try #require(rows.firstObject)
    #expect(try holds("ANYKEY == 2", for: bridged))
    for object: Any in [
      ["n": 2] as [AnyHashable: Any], ["n": 2, 7: 3] as [AnyHashable: Any],
      ["n": 2] as [NSString: Any], [NSString("n"): 2] as [AnyHashable: Any],
      ["n": 2] as [String: Int],
    ] {
      #expect(try holds("n == 2 AND SELF.missing == nil", for: object), "\(type(of: object))")
    }
  }

  @Test("the members of a dictionary are its values, and its count is the number of entries")
  func valuesOfDictionaries() throws {
    let owner: [String: Any] = ["name": "v", "age": 3, "tags": ["a": "x", "b": "y"]]
    for dictionary: Any in [
      ["k": "v", "l": "w"], ["k": "v"] as NSDictionary, ["k": "v", 1: 2] as [AnyHashable: Any],
    ] {
      #expect(try holds("name IN %@ AND NOT age IN %@", [dictionary, dictionary], for: owner))
      #expect(try holds("%@ CONTAINS[c] 'V'", [dictionary], for: owner))
    }
    #expect(try holds("'x' IN tags AND NOT tags CONTAINS 'z'", for: owner))
    #expect(try holds("tags.@count == 2 AND SELF.@count == 3 AND @count == 3", for: owner))
    #expect(try holds("@count == 1", for: ["k": "v"] as NSDictionary))
    #expect(try holds("tags.@sum == nil", for: owner))
  }

  @Test("strings, numbers, dates, URLs and data have keys of Foundation")
  func foundationKeys() throws {
    let url = try #require(URL(string: "http://example.org/a.txt"))
    let samples: [(object: Any, formats: [String])] = [
      (
        " 12.5 kg",
        [
          "intValue == 12", "integerValue == 12", "longLongValue == 12", "doubleValue == 12.5",
          "floatValue == 12.5", "boolValue == YES", "length == 8", "description == ' 12.5 kg'",
        ]
      ),
      (
        "aB.txt",
        [
          "uppercaseString == 'AB.TXT'", "lowercaseString == 'ab.txt'", "pathExtension == 'txt'",
          "doubleValue == 0", "boolValue == NO",
        ]
      ),
      (NSString("ab"), ["capitalizedString == 'Ab'", "intValue == 0", "length == 2"]),
      ("x/y", ["lastPathComponent == 'y'"]),
      ("-99999999999999999999", ["intValue == -2147483648", "longLongValue < -9e18"]),
      (3, ["intValue == 3", "stringValue == '3'", "description == '3'", "boolValue == YES"]),
      (2.5, ["integerValue == 2", "doubleValue == 2.5", "floatValue == 2.5"]),
      (4.0, ["stringValue == '4'", "description == '4'"]),
      (NSDecimalNumber(string: "-1.5"), ["longLongValue == -1", "stringValue == '-1.5'"]),
      (Date(timeIntervalSinceReferenceDate: 6), ["timeIntervalSinceReferenceDate == 6"]),
      (
        url,
        [
          "absoluteString == 'http://example.org/a.txt'", "pathExtension == 'txt'",
          "lastPathComponent == 'a.txt'",
        ]
      ),
      (Data([1, 2]), ["length == 2"]),
    ]
    for (object, formats) in samples {
      for format in formats { #expect(try holds(format, for: object), "\(format) of \(object)") }
    }
    #expect(try holds("ANY SELF.intValue == 7", for: ["x", "7"]))
  }

  @Test("Foundation's collections filter and sort by these predicates and descriptors")
  func collections() {
    let large = NSPredicate(format: "SELF > %d", 1)
    let down = NSSortDescriptor(key: "self", ascending: false)
    let numbers = [1, 2, 3].map { NSNumber(value: $0) }
    #expect(NSArray(array: numbers).filtered(using: large).count == 2)
    #expect(NSSet(array: numbers).filtered(using: large).count == 2)
    #expect(NSOrderedSet(array: numbers).filtered(using: large).count == 2)
    #expect(NSArray(array: numbers).sortedArray(using: [down]) as? [Int] == [3, 2, 1])
    #expect(NSSet(array: numbers).sortedArray(using: [down]) as? [Int] == [3, 2, 1])
    #expect(NSOrderedSet(array: numbers).sortedArray(using: [down]) as? [Int] == [3, 2, 1])
    let (array, set) = (NSMutableArray(array: numbers), NSMutableSet(array: numbers))
    let ordered = NSMutableOrderedSet(array: numbers)
    array.filter(using: large)
    set.filter(using: large)
    ordered.filter(using: large)
    #expect(array.count == 2)
    #expect(set.count == 2)
    #expect(ordered.count == 2)
    array.sort(using: [down])
    ordered.sort(using: [down])
    #expect(array.firstObject as? Int == 3)
    #expect(ordered.firstObject as? Int == 3)
  }
}
