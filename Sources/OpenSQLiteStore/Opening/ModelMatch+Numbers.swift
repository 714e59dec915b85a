import OpenObjectModel
import OpenStoreContract

extension ModelMatch {
  /// Requires that the entity numbers of the file match those of the model.
  ///
  /// An entity is found by its name, then by its renaming identifier, because a migration may leave
  /// the old name, and finally by its number. Other rows of the table belong to the persistent
  /// history and are ignored.
  ///
  /// A store has different numbers if it was written for another configuration or with other
  /// entities. A migration renumbers the entities.
  ///
  /// - Throws: `StoreError` with code `.incompatibleSchema`, whose underlying error is a
  ///   `ModelVersionMismatch`.
  func requireNumbers(on connection: Connection) throws(StoreError) {
    var names: [Int64: String] = [:]
    try connection.forEachRow("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY") { statement in
      names[statement.integer(0)] = statement.text(1) ?? ""
    }
    let numbers = Dictionary(names.map { ($0.value, $0.key) }) { first, _ in first }
    let members = members
    for entity in model.entities where members.contains(entity.index) {
      let computed = Int64(entity.index) + 1
      let renamed = entity.entityDescription.renamingIdentifier.flatMap { numbers[$0] }
      let found = numbers[entity.name] ?? renamed ?? (names[computed] == nil ? nil : computed)
      if found == computed { continue }
      throw StoreError(
        .incompatibleSchema, "\(Self.difference(found, computed)) \(Self.remedy)",
        path: path, entityName: entity.name,
        underlying: ModelVersionMismatch(storeEntities: [], modelEntities: [entity.name]))
    }
  }

  private static func difference(_ found: Int64?, _ computed: Int64) -> String {
    guard let found else { return "The store does not contain the entity." }
    return
      "The store contains the entity under the number \(found), but its number in the model is \(computed)."
  }

  private static let remedy =
    "The store was written for another configuration or with other entities. To migrate the store, open it once for writing "
    + "with automatic migration."
}
