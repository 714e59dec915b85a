import Foundation
import OpenObjectGraph
import OpenStoreTool
import Testing

@Suite("Texts in predicates are read as dates, UUIDs and URIs")
struct QueryLiteralTests {
  private static let id = "7B1D0A6C-0C5E-4B8C-9C39-0E6E37A1B5F2"
  private static let link = "https://example.org/a?b=c"

  /// An item at a moment, with an identifier and a link, and its owner; and an item without values.
  private func sample() throws -> Sample {
    let sample = try Sample()
    let day = Date(timeIntervalSince1970: 1_714_566_600.25)  // 2024-05-01T12:30:00.25Z
    try sample.write { context in
      let item = try Sample.insert("Item", into: context)
      item.setValue(day, forKey: "day")
      item.setValue(UUID(uuidString: Self.id), forKey: "id")
      item.setValue(URL(string: Self.link), forKey: "link")
      item.setValue("2024-05-01", forKey: "title")
      item.setValue(try Sample.insert("Owner", into: context), forKey: "owner")
      _ = try Sample.insert("Item", into: context)
    }
    return sample
  }

  @Test(
    "a text beside such a property is a value of its type",
    arguments: [
      "day > '2024-05-01'", "day < '2024-05-02'", "day == '2024-05-01T12:30:00.25Z'",
      "day == '2024-05-01T14:30:00.25+02:00'", "day == '2024-05-01 07:30:00.25-0500'",
      "'2024-05-01T12:30' < day", "day BETWEEN {'2024-05-01', '2024-06-01'}",
      "day IN {'2024-05-01T12:30:00.25Z', '2020-02-29'}", "day == CAST(736259400.25, 'NSDate')",
      "day > CAST('2024-05-01', 'NSDate')", "day == CAST('736259400.25', 'NSDate')",
      "id == '\(id)'", "id == '\(id.lowercased())'", "id == CAST('\(id)', 'NSUUID')",
      "id IN {'\(id)'}", "link == '\(link)'", "link == CAST('\(link)', 'NSURL')",
      "title == '2024-05-01'", "title BEGINSWITH '2024'", "NOT (day == nil OR id == nil)",
    ])
  func values(_ predicate: String) throws {
    let found = try sample().rows { $0.predicate = predicate }
    #expect(found.map { $0["title"] } == [.text("2024-05-01")])
  }

  @Test(
    "also over relationships and in subqueries",
    arguments: [
      "ANY items.day > '2024-05-01'", "SUBQUERY(items, $i, $i.day > '2024-05-01').@count == 1",
      "ANY items.id == '\(id)'",
    ])
  func paths(_ predicate: String) throws {
    #expect(try sample().rows("Owner") { $0.predicate = predicate }.count == 1)
    let later = predicate.replacing("2024-05-01", with: "2024-05-03").replacing(
      "7B1D", with: "0000")
    #expect(try sample().rows("Owner") { $0.predicate = later }.isEmpty)
  }

  @Test(
    "an invalid text causes an error that names the property and the text and states the format",
    arguments: [
      ("day > 'soon'", "day is a date"), ("day == ''", "day is a date"),
      ("day == '2024-02-30'", "day is a date"), ("day == '2023-02-29'", "day is a date"),
      ("day == '2024-05-01T25:00'", "day is a date"),
      ("day == '2024-05-01Tnoon'", "day is a date"), ("day == '2024-05-01 '", "day is a date"),
      ("day IN {'2024-05-01', 'x'}", "day is a date"),
      ("day > CAST('soon', 'NSDate')", "CAST(\"soon\", \"NSDate\") is not a date"),
      ("id == 'abc'", "id is a UUID"), ("id == CAST('abc', 'NSUUID')", "is not a UUID"),
      ("link == ''", "link is a URI"),
    ])
  func errors(_ predicate: String, _ message: String) throws {
    let sample = try sample()
    let error = #expect(throws: ToolError.self) { try sample.rows { $0.predicate = predicate } }
    #expect(error?.status == .usage)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test("every date that is printed is read back as the same moment")
  func roundTrip() throws {
    let moments = [
      0, -1, 0.1, -0.1, 1e-3, 700_000_000.123456, -5e9, 2.5e9, -63_000_000_000, 978_307_200.75,
    ]
    let sample = try Sample()
    try sample.write { context in
      for moment in moments {
        try Sample.insert("Item", into: context)
          .setValue(Date(timeIntervalSinceReferenceDate: moment), forKey: "day")
      }
    }
    for row in try sample.rows() {
      let day = row["day"]?.cell ?? ""
      let found = try sample.rows { $0.predicate = "day == '\(day)'" }
      #expect(found.map { $0["objectID"] } == [row["objectID"]], "\(day)")
    }
  }
}
