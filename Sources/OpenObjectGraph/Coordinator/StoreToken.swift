internal import Synchronization

/// The number that identifies a store in references to objects; all stores with the same identifier share it.
///
/// Predicates can therefore compare ids of a store that several coordinators have opened. The number is released when
/// no store has it any more; ids retain their store.
///
/// Shared.
final class StoreToken: Sendable {
  let number: UInt32
  private let identifier: String

  private struct Entry {
    var number: UInt32
    var useCount = 0
  }

  private struct Table {
    var entries: [String: Entry] = [:]
    /// The next number; 0 means no store.
    var nextNumber: UInt32 = 1

    mutating func makeEntry() -> Entry {
      defer { nextNumber &+= 1 }
      return Entry(number: nextNumber)
    }
  }

  private static let table = Mutex(Table())

  /// Gets the number for a store's identifier, or assigns a new number.
  init(_ identifier: String) {
    self.identifier = identifier
    number = Self.table.withLock { table in
      var entry = table.entries[identifier] ?? table.makeEntry()
      entry.useCount += 1
      table.entries[identifier] = entry
      return entry.number
    }
  }

  deinit {
    Self.table.withLock { table in
      guard var entry = table.entries[identifier] else { return }
      entry.useCount -= 1
      table.entries[identifier] = entry.useCount > 0 ? entry : nil
    }
  }
}
