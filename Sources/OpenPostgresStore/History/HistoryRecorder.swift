import Foundation
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Creates the statements that write one transaction to the history.
///
/// The statements must be the last statements of the transaction. They lock a row, so that the
/// order of the transaction numbers is the order of the commits.
struct HistoryRecorder {
  let store: PostgresStore
  /// The index of the statement that returns the number of the transaction.
  static let entryIndex = 1
  /// The maximum number of changes in a statement.
  private static let greatestCount = 10_000
  /// The maximum size of the preserved values in a statement, in bytes. A larger value has its own
  /// statement.
  private static let greatestSize = 4 << 20

  /// Returns the statements, which include the statement at ``entryIndex``.
  func commands(
    for changes: [StoreHistoryChange], by origin: ChangeOrigin, commit: UUID
  ) throws(StoreError) -> [PostgresCommand] {
    let entry = PostgresCommand(
      store.historyTexts.transaction,
      [
        PostgresValue(commit), PostgresValue(ChangeListener.process),
        .real(Date().timeIntervalSinceReferenceDate), .text(origin.author),
        .text(origin.bundleID), .text(origin.contextName), .text(origin.processID),
      ])
    return [PostgresCommand(store.historyTexts.lock), entry] + (try self.changes(changes))
  }

  private typealias Entry = (change: StoreHistoryChange, tombstone: SlotContent)

  private func changes(_ changes: [StoreHistoryChange]) throws(StoreError) -> [PostgresCommand] {
    var entries: [Entry] = []
    for change in changes { entries.append((change, try tombstone(change))) }
    return try entries.portions(upTo: Self.greatestCount, Self.greatestSize) {
      $0.tombstone.byteCount
    }.map { command(for: $0) }
  }

  /// Returns the statement that continues the numbers of earlier changes.
  private func command(for entries: ArraySlice<Entry>) -> PostgresCommand {
    let changes = entries.map(\.change)
    var names = PostgresArray(of: .text, count: changes.count)
    for change in changes {
      let index = Int(change.id.entityIndex)
      names.append(
        change.kind == .update
          ? .text(ChangedNames.text(of: change.updated, in: store.model.entities[index])) : .null)
    }
    return PostgresCommand(
      store.historyTexts.changes,
      [
        .keys(changes.map(\.kind.rawValue)),
        .keys(changes.map { store.schema.numbers.number(of: Int($0.id.entityIndex)) }),
        .keys(changes.map(\.id.key)), names.value, .array(of: .data, entries.map(\.tombstone)),
        .keys(1..<Int64(changes.count) + 1),
      ])
  }

  /// Returns the values to preserve of a deleted row, as a property list by name; null if there are
  /// none.
  private func tombstone(_ change: StoreHistoryChange) throws(StoreError) -> SlotContent {
    guard !change.tombstone.isEmpty else { return .null }
    let entity = store.model.entities[Int(change.id.entityIndex)]
    var list: StoreMetadata = [:]
    for (ordinal, value) in change.tombstone {
      let property = entity.properties[ordinal]
      switch property.slot.flatMap({ SlotContent(value, as: entity.slots[$0].kind) }) {
      case .integer(let integer)?: list[property.name] = integer
      case .real(let real)?: list[property.name] = real
      case .text(let text)?: list[property.name] = text
      case .data(let data)?: list[property.name] = data
      case .null?, nil: continue
      }
    }
    return .data(try MetadataList.encode(list, path: nil))
  }
}
