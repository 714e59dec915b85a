import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Writes the positions of members in ordered relationships. Confined to one transaction.
struct OrderWriter {
  let store: SQLiteStore
  let connection: Connection

  /// Writes the order of one source's members.
  func write(_ ordering: ChangeSet.Ordering) throws(StoreError) {
    let (storage, column, select) = try store.fetches.places(of: ordering)
    if case .foreignKey(let key) = storage {
      for member in ordering.removed {
        try connection.run(.clearPlace(key, column: column), store.writes, member)
      }
    }
    guard !ordering.members.isEmpty else { return }
    var stored: [Int64: Int64] = [:]
    try connection.forEachRow(select, [.integer(ordering.source.key)]) { statement in
      let place = statement.integer(1)  // 0 for NULL
      if place != 0 { stored[statement.integer(0)] = place }
    }
    let places = MemberPlaces.places(for: ordering, stored: stored)
    for (member, place) in zip(ordering.members, places) where stored[member] != place {
      try connection.run(
        .setPlace(storage, column: column), store.writes, place, member, ordering.source.key)
    }
  }
}
