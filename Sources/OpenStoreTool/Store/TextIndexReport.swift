import Foundation
import OpenObjectGraph

/// The actions of the command `text-index` on the text indexes of a store.
package enum TextIndexReport {
  /// An action on the text indexes.
  package enum Action: Sendable {
    /// Lists the indexes.
    case show
    /// Compares the indexes with the rows.
    case check
    /// Creates the indexes that the model requires and that do not exist yet.
    case make
    /// Rebuilds the indexes from the rows.
    case rebuild
  }

  /// Executes an action, and returns one row for each index with the result of the action.
  ///
  /// - Parameters:
  ///   - action: The action to execute.
  ///   - path: The path of the store's file, or of a folder that contains one store.
  ///   - modelPath: The path of a model to use instead of the store's own model; nil to use the
  ///     store's own model.
  /// - Returns: The rows, and whether the contents of an index differ from the contents of its
  ///   table. Only ``Action/check`` compares the contents; `isDamaged` is false for other actions.
  /// - Throws: `ToolError` with status `.usage` if the store is on a server, or if a folder at
  ///   `path` does not contain exactly one store. Throws `ToolError` with status `.unreadable` if
  ///   the store or the model cannot be read, or if the store cannot be changed.
  package static func rows(
    _ action: Action, ofStoreAt path: String, modelPath: String?
  ) throws -> (rows: [[OutputValue.Field]], isDamaged: Bool) {
    try InspectedStore.requireFile(path, for: "text-index")
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
