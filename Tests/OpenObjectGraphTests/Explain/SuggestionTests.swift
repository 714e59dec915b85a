import Foundation
import OpenCoreData
import Testing

@Suite("Suggestions of explanations are correct")
struct SuggestionTests {
  /// The explanations of a request before and after the model has an index.
  private func suggestions(
    _ format: String?, indexes: [[String]] = [],
    _ change: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }
  ) throws -> FetchExplanation {
    let model = NoteModel.make()
    let note = try #require(model.entitiesByName["Note"])
    for (number, keys) in indexes.enumerated() {
      let elements = keys.compactMap { key -> NSFetchIndexElementDescription? in
        let falls = key.hasPrefix("-")
        guard let property = note.propertiesByName[falls ? String(key.dropFirst()) : key] else {
          return nil
        }
        let element = NSFetchIndexElementDescription(property: property, collationType: .binary)
        element.isAscending = !falls
        return element
      }
      note.indexes += [NSFetchIndexDescription(name: "extra\(number)", elements: elements)]
    }
    return try NoteStore(model: model).explanation(format, change)
  }

  @Test(
    "an index over the compared attributes serves the condition, and is used once it exists",
    arguments: [
      ("body == 'x'", "ZNOTE (ZBODY)", ["body"]), ("rank > 3", "ZNOTE (ZRANK)", ["rank"]),
      ("rank IN {1, 2}", "ZNOTE (ZRANK)", ["rank"]),
      ("rank BETWEEN {1, 2}", "ZNOTE (ZRANK)", ["rank"]),
      ("body BEGINSWITH 'x'", "ZNOTE (ZBODY)", ["body"]),
      ("body BEGINSWITH[n] 'x'", "ZNOTE (ZBODY)", ["body"]),
      ("price == nil", "ZNOTE (ZPRICE)", ["price"]),
    ])
  func conditions(_ format: String, _ index: String, _ keys: [String]) throws {
    let before = try suggestions(format)
    #expect(before.stores.first?.fullScans.isEmpty == false)
    #expect(
      before.suggestions.contains {
        $0.contains("An index on \(index) would avoid a full scan. Add a fetch index to Note")
      }, "\(before)")
    let after = try suggestions(format, indexes: [keys])
    #expect(after.stores.first?.indexes == ["Z_Note_extra0"])
    #expect(after.suggestions.isEmpty, "\(after)")
    #expect(after.stores.first?.fullScans == [])
  }

  @Test("an index over the sort keys serves an order, in its directions")
  func order() throws {
    let change: (NSFetchRequest<NSManagedObject>) -> Void = {
      $0.sortDescriptors = [
        NSSortDescriptor(key: "rank", ascending: true),
        NSSortDescriptor(key: "price", ascending: false),
      ]
      $0.fetchLimit = 10
    }
    let before = try suggestions(nil, change)
    #expect(before.stores.first?.temporaryTrees == ["ORDER BY"])
    #expect(
      before.suggestions.contains { $0.contains("ZNOTE (ZRANK, ZPRICE DESC)") }, "\(before)")
    #expect(before.suggestions.contains { $0.contains("rank, price (descending)") })
    let after = try suggestions(nil, indexes: [["rank", "-price"]], change)
    #expect(after.stores.first?.temporaryTrees == [])
    #expect(after.stores.first?.fullScans == [])
    #expect(after.suggestions.isEmpty)
  }

  @Test("one index can serve the condition and the order")
  func both() throws {
    let change: (NSFetchRequest<NSManagedObject>) -> Void = {
      $0.sortDescriptors = [NSSortDescriptor(key: "price", ascending: true)]
    }
    let before = try suggestions("rank == 1", change)
    #expect(
      before.suggestions.contains {
        $0.contains("ZNOTE (ZRANK, ZPRICE) would avoid a full scan and a temporary B-tree")
      }, "\(before)")
    let after = try suggestions("rank == 1", indexes: [["rank", "price"]], change)
    #expect(after.suggestions.isEmpty)
  }

  @Test("BEGINSWITH[cd] cannot use an index; [n] on an indexed attribute can")
  func folding() throws {
    let before = try suggestions("title BEGINSWITH[cd] 'x'")
    #expect(
      before.suggestions.contains { $0.hasPrefix("BEGINSWITH[cd] on title cannot use an index") })
    #expect(!before.suggestions.contains { $0.hasPrefix("An index") })
    let after = try suggestions("title BEGINSWITH[n] 'x'")
    #expect(after.stores.first?.indexes == ["Z_Note_byTitle"])
    #expect(after.suggestions.isEmpty)
  }

  @Test(
    "no index serves a search within texts",
    arguments: ["CONTAINS", "ENDSWITH", "MATCHES", "LIKE", "CONTAINS[c]"])
  func insideOfTexts(_ operation: String) throws {
    let pattern = operation == "LIKE" ? "*x" : "x"
    let explanation = try suggestions("title \(operation) '\(pattern)'")
    #expect(explanation.stores.first?.fullScans.isEmpty == false)
    #expect(
      explanation.suggestions.contains { $0.hasPrefix("\(operation) on title searches the text") },
      "\(explanation)")
    #expect(!explanation.suggestions.contains { $0.hasPrefix("An index") })
  }

  @Test("if an index serves another condition, there is no suggestion about texts")
  func quiet() throws {
    let explanation = try suggestions("title == 'x' AND body CONTAINS 'y'")
    #expect(explanation.suggestions.isEmpty)
  }

  @Test("a function of an attribute cannot use an index")
  func function() throws {
    let explanation = try suggestions("lowercase(title) == 'x'")
    #expect(explanation.suggestions.contains { $0.hasPrefix("A function of title") })
  }

  @Test("a localized order cannot use an index; a byte order can")
  func localizedOrder() throws {
    func explained(_ comparison: SortComparison) throws -> FetchExplanation {
      try suggestions(nil) { request in
        request.sortDescriptors = [
          NSSortDescriptor(key: "title", ascending: true, comparison: comparison)
        ]
        request.fetchLimit = 5
      }
    }
    let localized = try explained(.localizedStandard)
    #expect(localized.suggestions.contains { $0.hasPrefix("Sorting by title") }, "\(localized)")
    #expect(!localized.suggestions.contains { $0.hasPrefix("An index") })
    let plain = try explained(.plain)
    #expect(plain.stores.first?.indexes == ["Z_Note_byTitle"])
    #expect(plain.suggestions.isEmpty)
  }

  @Test("a limit ends a scan, unless a condition or an order needs every row")
  func limits() throws {
    let plain = try suggestions(nil) { $0.fetchLimit = 5 }
    #expect(plain.stores.first?.fullScans == [])
    let condition = try suggestions("price > 1") { $0.fetchLimit = 5 }
    #expect(condition.stores.first?.fullScans.count == 1)
    let whole = try suggestions(nil)
    #expect(whole.stores.first?.fullScans.count == 1)
    #expect(whole.suggestions.isEmpty)
  }

  @Test("relationships have their own indexes")
  func relationships() throws {
    let explanation = try suggestions("owner.name == 'x'")
    #expect(!explanation.suggestions.contains { $0.contains("ZOWNER") })
    let byOwner = try suggestions("owner == nil")
    #expect(byOwner.suggestions.isEmpty)
  }
}
