internal import Synchronization

/// The number that identifies a store in references to objects. All stores with the same identifier
/// share the number.
///
/// Predicates can therefore compare ids of a store that several coordinators have opened. The
/// number is released when no store uses the number any more; ids retain their store.
///
/// > Concurrency: Usable on any thread.
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

  /// Creates a token with the number of a store's identifier, or with a new number if the
  /// identifier has none.
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
