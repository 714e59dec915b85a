import Foundation
import OpenPredicates
import Testing

@Suite struct PredicateTextTests {
  @Test("arguments of every type are written so that they can be read back")
  func arguments() throws {
    let uuid = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
    let url = try #require(URL(string: "https://example.org/a?b=c"))
    let samples: [(Any?, String)] = [
      (nil, "a == nil"), (NSNull(), "a == nil"), (true, "a == 1"), (5, "a == 5"),
      (Int64.min, "a == -9223372036854775808"), (2.5, "a == 2.5"), (1e300, "a == 1e+300"),
      (Double.infinity, "a == CAST(\"inf\", \"NSNumber\")"),
      ("it's \"so\"", "a == \"it's \\\"so\\\"\""),
      ("\u{1F600} ß\t\0", "a == \"\u{1F600} ß\\t\\0\""),
      (
        Date(timeIntervalSinceReferenceDate: 694_224_000), "a == CAST(694224000.000000, \"NSDate\")"
      ),
      (Date(timeIntervalSinceReferenceDate: -0.1234567891), "a == CAST(-0.1234567891, \"NSDate\")"),
      (uuid, "a == CAST(\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\", \"NSUUID\")"),
      (url, "a == CAST(\"https://example.org/a?b=c\", \"NSURL\")"),
      (Data([1, 2, 255]), "a == CAST(\"AQL/\", \"NSData\")"),
      (NSDecimalNumber(string: "12.345"), "a == CAST(\"12.345\", \"NSDecimalNumber\")"),
      (UInt64.max, "a == CAST(\"18446744073709551615\", \"NSDecimalNumber\")"),
      ([1, 2], "a == {1, 2}"), (["x", "y"] as NSArray, "a == {\"x\", \"y\"}"),
      (NSOrderedSet(array: [1, 2]), "a == {1, 2}"),
      (
        ObjectReference(entityToken: 1, storeToken: 2, key: -3),
        "a == CAST(\"1:2:-3\", \"NSManagedObjectID\")"
      ),
    ]
    for (argument, expected) in samples {
      let predicate = try makePredicate("a == %@", [argument])
      #expect(predicate.canonicalFormat == expected)
      #expect(try makePredicate(expected) == predicate, "\(expected)")
    }
  }

  @Test("whole floating-point numbers are written with a decimal point")
  func wholeNumbers() {
    let predicate = NSPredicate(format: "a == %f AND b == %d", 2.0, 2)
    #expect(predicate.canonicalFormat == "a == 2.0 AND b == 2")
    #expect(NSPredicate(format: predicate.canonicalFormat) == predicate)
  }

  @Test("compound predicates are written with parentheses")
  func compounds() {
    let x = NSPredicate(format: "X = 10 AND Y == %d", 30)
    let z = NSPredicate(format: "Z == 20 OR K == 40")
    let both = NSCompoundPredicate(andPredicateWithSubpredicates: [x, z])
    #expect(both.canonicalFormat == "(X == 10 AND Y == 30) AND (Z == 20 OR K == 40)")
    let none = NSCompoundPredicate(notPredicateWithSubpredicate: both)
    #expect(
      none.canonicalFormat == "NOT ((X == 10 AND Y == 30) AND (Z == 20 OR K == 40))")
    #expect(
      NSCompoundPredicate(andPredicateWithSubpredicates: []).canonicalFormat == "TRUEPREDICATE")
    #expect(
      NSCompoundPredicate(orPredicateWithSubpredicates: []).canonicalFormat == "FALSEPREDICATE")
    #expect(NSPredicate(value: true).canonicalFormat == "TRUEPREDICATE")
  }

  @Test("an interpolated constant or block is written as its canonical format")
  func interpolation() {
    #expect("\(NSPredicate(value: true))" == "TRUEPREDICATE")
    #expect("\(NSPredicate(value: false))" == "FALSEPREDICATE")
    #expect("\(NSPredicate(block: { _, _ in true }))" == "BLOCKPREDICATE")
  }

  @Test("variables that were substituted are written as values")
  func variables() {
    let predicate = NSPredicate(format: "a == $X AND b == $Y")
    #expect(predicate.withSubstitutionVariables(["X": 1]).canonicalFormat == "a == 1 AND b == $Y")
  }
}
