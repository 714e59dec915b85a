import Foundation
import OpenCoreData
package import OpenObjectGraph
import OpenStoreContract

/// An explanation of how a store executes a query: the SQL, the query plan of SQLite, and the work
/// that is performed in memory.
package struct Explanation {
  /// Whether the explanation contains the constants of the query, which may be private.
  package enum Values: Sendable {
    /// The explanation omits the constants, or contains the constants.
    case hidden, shown
  }

  /// The explanation that the context returned.
  package let fetch: FetchExplanation

  /// Explains a query without executing the query.
  ///
  /// The initializer counts the rows of the tables that the query would scan.
  ///
  /// - Parameters:
  ///   - query: The query to explain.
  ///   - path: The path of the store's file, or of a folder that contains one store.
  ///   - modelPath: The path of a model to use instead of the store's own model; nil to use the
  ///     store's own model.
  ///   - values: Whether the explanation contains the values of the query.
  /// - Throws: `ToolError` with status `.usage` if the query is invalid or does not match the
  ///   model, or with status `.unreadable` if the store or the model cannot be read; the errors of
  ///   ``InspectedStore/url(at:)`` and ``InspectedStore/model(at:)``.
  package init(
    _ query: StoreQuery, storeAt path: String, modelPath: String?, values: Values = .hidden
  ) throws {
    let store = try InspectedStore(at: path, modelPath: modelPath)
    let request = try query.request(for: store)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = store.coordinator
    do {
      fetch = try context.performAndWait {
        try context.explanation(
          of: request, rankedBy: query.ranking, showsBindings: values == .shown)
      }
    } catch {
      throw ToolError(Self.status(of: error), InspectedStore.sentence(for: error))
    }
    try store.close()
  }

  /// Returns the exit status for an error: `.usage` for an invalid query, otherwise `.unreadable`.
  private static func status(of error: any Error) -> ToolError.Status {
    let inner = (error as NSError).userInfo[OpenStoreErrorKey] as? StoreError
    switch inner?.code {
    case nil, .unsupportedPredicate?: return .usage
    default: return .unreadable
    }
  }

  /// The findings; if there are any, the command exits with the status
  /// ``ToolError/Status/findings``.
  package var findings: [String] { fetch.findings }

  /// The explanation as text with sections.
  package var text: String {
    var text = fetch.description + "\n"
    if !findings.isEmpty {
      text += "Findings:\n" + findings.map { "  \($0)\n" }.joined()
    }
    return text.withoutControlCharacters(except: "\n")
  }

  /// The explanation as a row. If the query reads several stores, the row describes the statement
  /// of the first store.
  package var fields: [OutputValue.Field] {
    var fields = fetch.stores.first.map { Self.fields(of: $0) } ?? []
    fields.append(.init("inMemory", .list(fetch.inMemory.map(Self.object))))
    fields.append(.init("findings", .list(findings.map { .text($0) })))
    fields.append(.init("suggestions", .list(fetch.suggestions.map { .text($0) })))
    return fields
  }

  private static func fields(of store: FetchExplanation.Store) -> [OutputValue.Field] {
    var fields = [OutputValue.Field("sql", store.sql.map { .text($0) } ?? .null)]
    if let bindings = store.bindings {
      fields.append(.init("bindings", .list(bindings.map { .text($0) })))
    }
    let scans = store.fullScans.map { scan in
      OutputValue.object([
        .init("table", .text(scan.name)), .init("rows", .integer(Int64(scan.rowCount))),
      ])
    }
    return fields + [
      .init("plan", .list(store.plan.map(object))),
      .init("indexes", .list(store.indexes.map { .text($0) })),
      .init("fullScans", .list(scans)),
      .init("temporaryTrees", .list(store.temporaryTrees.map { .text($0) })),
      .init("rows", .integer(Int64(store.candidateCount))),
    ]
  }

  private static func object(_ step: FetchExplanation.Step) -> OutputValue {
    .object([.init("step", .text(step.text)), .init("steps", .list(step.steps.map(object)))])
  }

  private static func object(_ work: FetchExplanation.MemoryWork) -> OutputValue {
    var fields = [
      OutputValue.Field("kind", .text(work.kind.rawValue)), .init("reason", .text(work.reason)),
    ]
    if let predicate = work.predicate { fields.append(.init("predicate", .text(predicate))) }
    return .object(fields)
  }
}
