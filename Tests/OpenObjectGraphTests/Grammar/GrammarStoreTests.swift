import Foundation
import OpenCoreData
import OpenGrammarTables
import Testing

/// If the environment variable `OPENCOREDATA_WRITE_GOLDEN` names a folder, the golden tables are
/// written there, for
/// review before they replace the tables next to this file.
@Suite("Stores evaluate every form of the grammar")
struct GrammarStoreTests {
  private static let outcomes = Result { try GrammarOutcomes() }

  @Test(
    "each format has the expected SQL condition or reason, and the expected rows in every store")
  func conditionsAndRows() throws {
    let outcomes = try Self.outcomes.get()
    for topic in GrammarTables.topics {
      let golden = try #require(GrammarGolden.tables[topic.name], "\(topic.name)")
      let expected = GrammarGolden.outcomes(golden)
      let rows = GrammarRow.rows(topic.table)
      #expect(expected.count == rows.count, "\(topic.name)")
      for row in rows {
        #expect(outcomes[row]?.text == expected[row.head], "\(row.head)")
      }
    }
  }

  @Test("an in-memory store finds the same rows as a SQLite store, or throws the same error")
  func storesAgree() throws {
    let outcomes = try Self.outcomes.get()
    for row in GrammarTables.rows {
      let outcome = try #require(outcomes[row])
      #expect(outcome.inMemory == outcome.inSQLite, "\(row.head)")
    }
  }

  @Test("unsaved rows are found like saved rows")
  func unsaved() throws {
    let outcomes = try Self.outcomes.get()
    for row in GrammarTables.rows {
      let outcome = try #require(outcomes[row])
      #expect(outcome.unsaved == outcome.inSQLite, "\(row.head)")
    }
  }

  @Test("evaluation in memory finds the same rows, except where SQL's null rules differ")
  func evaluation() throws {
    let outcomes = try Self.outcomes.get()
    for row in GrammarTables.rows {
      let outcome = try #require(outcomes[row])
      guard case .rows(let found) = outcome.inSQLite else { continue }
      let isExplained = found == outcome.evaluated || outcome.nullRule != nil
      #expect(isExplained, "\(row.head): \(outcome.text)")
    }
  }

  @Test("the first row, which is the sample of the tables, has the tables' result")
  func sample() throws {
    let outcomes = try Self.outcomes.get()
    for row in GrammarTables.rows {
      guard let result = row.result, let outcome = outcomes[row],
        case .rows(let found) = outcome.inSQLite
      else { continue }
      let evaluated = outcome.evaluated.contains(1)
      #expect(evaluated == result, "\(row.head)")
      #expect(found.contains(1) == result || outcome.nullRule != nil, "\(row.head)")
    }
  }

  @Test("every error has the code for predicates, and names the entity")
  func errors() throws {
    let outcomes = try Self.outcomes.get()
    for row in GrammarTables.rows {
      guard case .failure(let code, let text)? = outcomes[row]?.inSQLite else { continue }
      #expect(code == CocoaError.Code.coreData.rawValue, "\(row.head)")
      #expect(text.contains("Entity: Sample.") || text.hasPrefix("FETCH"), "\(row.head)")
    }
  }

  @Test(
    "the golden tables are written on demand",
    .enabled(if: ProcessInfo.processInfo.environment["OPENCOREDATA_WRITE_GOLDEN"] != nil))
  func write() throws {
    let folder = try #require(ProcessInfo.processInfo.environment["OPENCOREDATA_WRITE_GOLDEN"])
    let outcomes = try Self.outcomes.get()
    for topic in GrammarTables.topics {
      let lines = GrammarRow.rows(topic.table).map { row in
        "    \(row.head)\n      "
          + (outcomes[row]?.text ?? "").replacing("\n", with: "\n      ")
      }
      let name = topic.name.prefix(1).uppercased() + topic.name.dropFirst()
      let text = """
        extension GrammarGolden {
          /// The expected results in stores of the formats of `GrammarTables.\(topic.name)`.
          static let \(topic.name) = #\"""
        \(lines.joined(separator: "\n"))
            \"""#
        }

        """
      try text.write(
        toFile: "\(folder)/GrammarGolden+\(name).swift", atomically: true, encoding: .utf8)
    }
  }
}
