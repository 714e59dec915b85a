internal import Synchronization

/// The number by which references to objects name a store: one for all stores of the process with one identifier.
///
/// So predicates compare ids of one store alike, whichever coordinator opened it. The number is given up when no
/// store has it any more; ids keep their store.
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
    /// 0 stands for no store.
    var nextNumber: UInt32 = 1

    mutating func makeEntry() -> Entry {
      defer { nextNumber &+= 1 }
      return Entry(number: nextNumber)
    }
  }

  private static let table = Mutex(Table())

  /// Takes the number of a store's identifier.
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
