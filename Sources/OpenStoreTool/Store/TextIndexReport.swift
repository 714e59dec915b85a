import Foundation
import OpenObjectGraph

/// The text indexes of a store: what `text-index` shows and does.
package enum TextIndexReport {
  /// What is done with the indexes.
  package enum Action: Sendable {
    /// They are shown.
    case show
    /// They are compared with the rows.
    case check
    /// Those that the model wants are made, if they are not there.
    case make
    /// They are rebuilt from the rows.
    case rebuild
  }

  /// One row for each index, with what was done with it.
  ///
  /// - Parameters:
  ///   - action: What is done.
  ///   - path: The store's file, or a folder that contains one.
  ///   - modelPath: A model that goes before the one in the store; nil for that one.
  /// - Returns: The rows, and whether an index does not agree with its table.
  /// - Throws: `ToolError`.
  package static func rows(
    _ action: Action, ofStoreAt path: String, modelPath: String?
  ) throws -> (rows: [[OutputValue.Field]], isDamaged: Bool) {
    let opened =
      action == .show
      ? try InspectedStore(at: path, modelPath: modelPath)
      : try InspectedStore(
        writing: path, modelPath: modelPath, options: [OpenTextIndexOption: action == .make])
    do {
      let (coordinator, store) = (opened.coordinator, opened.store)
      if action == .rebuild { try coordinator.rebuildTextIndexes(of: store) }
      let damaged = action == .check ? try coordinator.damagedTextIndexes(of: store) : []
      let rows = try coordinator.textIndexes(of: store).map { index in
        [
          OutputValue.Field("table", .text(index.table)),
          .init("columns", .text(index.columns.joined(separator: " "))),
          .init(
            "prefixes", .text(index.prefixLengths.map(String.init).joined(separator: " "))),
          .init("state", .text(state(of: index.table, damaged, action))),
        ]
      }
      try opened.close()
      return (rows, !damaged.isEmpty)
    } catch {
      throw ToolError(.unreadable, "\(opened.url.path): \(InspectedStore.sentence(for: error))")
    }
  }

  private static func state(
    of table: String, _ damaged: [String], _ action: Action
  ) -> String {
    switch action {
    case .show, .make: "present"
    case .rebuild: "rebuilt"
    case .check: damaged.contains(table) ? "differs from the rows" : "agrees with the rows"
    }
  }
}
