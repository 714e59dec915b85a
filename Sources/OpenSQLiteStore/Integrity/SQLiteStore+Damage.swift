import COpenSQLite
import Foundation
import OpenObjectModel
import OpenSQLCore
public import OpenStoreContract

extension SQLiteStore: DamageReporting {
  /// Checks the file, the join tables, the key counters (the last keys in `Z_PRIMARYKEY`), the
  /// types of values and the external values for damage.
  ///
  /// - Returns: The damage found; an empty array for an intact store.
  /// - Throws: `StoreError` with code `.closed` if the store is closed, or with another code if the
  ///   file cannot be read.
  public func damage() throws(StoreError) -> [StoreDamage] {
    let waiting = try filesInWaiting()
    return try pool.withReader { (connection) throws(StoreError) in
      let search = DamageSearch(schema: schema, connection: connection)
      return try search.damage() + search.externalDamage(besides: waiting)
    }
  }
}

extension SQLiteStore {
  /// Returns the external files that this store is going to delete.
  private func filesInWaiting() throws(StoreError) -> Set<String> {
    if pool.isShared || isReadOnly { return [] }
    return try pool.withWriter { $0.external?.removal.names ?? [] }
  }
}

/// Searches for damage on one connection, with SQL statements over the tables of a schema.
struct DamageSearch {
  let schema: SchemaMap
  let connection: Connection

  func damage() throws(StoreError) -> [StoreDamage] {
    var found = try brokenFile()
    let tables = try completeTables()
    found += try connection.damage(in: schema, tables: tables)
    for root in schema.entities where root.entity.superIndex == nil && tables.contains(root.table) {
      found += try wrongTypes(inTableOf: root)
    }
    return found
  }

  /// Returns the names of the schema's tables that the file contains with all columns. An entity
  /// outside the store's configuration may have no table, or the table of another version.
  private func completeTables() throws(StoreError) -> Set<String> {
    let present = try FileTables.read(on: connection)
    return Set(
      schema.requiredColumns().filter { table, columns in
        Set(present[table] ?? []).isSuperset(of: columns)
      }.keys)
  }

  private func brokenFile() throws(StoreError) -> [StoreDamage] {
    var found: [StoreDamage] = []
    try connection.forEachRow("PRAGMA quick_check(20)") { statement in
      let text = statement.text(0) ?? ""
      if text != "ok" { found.append(StoreDamage(.brokenFile, detail: text)) }
    }
    return found
  }

  private func quoted(_ name: String) -> String { SQLiteDialect().quoted(name) }

  // MARK: External values

  /// Compares the files of external values with the rows that refer to them.
  ///
  /// - Parameter waiting: The files that are kept for older states of the store.
  func externalDamage(besides waiting: Set<String>) throws(StoreError) -> [StoreDamage] {
    guard let path = connection.path else { return [] }
    let files = StoreFiles(URL(fileURLWithPath: path))
    let named = try externalNames()
    let external = ExternalFiles(files)
    let present = try external.names()
    let missing = named.filter { !present.contains($0.key) }.sorted { $0.key < $1.key }
    // If another store has values in the same folder, unused files cannot be determined.
    var unused: [String] = []
    if !present.isEmpty, !external.mayBelongToOthers {
      let used = try ExternalReferences(on: connection).names()
      unused = present.subtracting(used).subtracting(waiting).sorted()
    }
    return missing.map(\.value) + unused.map { StoreDamage(.unusedFile, detail: $0) }
  }

  /// Returns the names of the files that rows refer to, each with the damage to report if the file
  /// is missing.
  func externalNames() throws(StoreError) -> [String: StoreDamage] {
    var named: [String: StoreDamage] = [:]
    var seen: Set<String> = []
    let tables = try completeTables()
    for map in schema.entities where tables.contains(map.table) {
      for property in map.entity.properties {
        guard let slot = property.slot, map.columns[slot].isTagged,
          seen.insert(map.table + "." + map.columns[slot].name).inserted
        else { continue }
        try collect(property, map, map.columns[slot].name, into: &named)
      }
    }
    return named
  }

  private func collect(
    _ property: CompiledProperty, _ map: EntityMap, _ column: String,
    into named: inout [String: StoreDamage]
  ) throws(StoreError) {
    let column = quoted(column)
    let sql =
      "SELECT Z_PK, \(column) FROM \(quoted(map.table)) WHERE length(\(column)) = 38 "
      + "AND substr(\(column), 1, 1) = x'02' ORDER BY Z_PK"
    try connection.forEachRow(sql) { statement in
      // The tag, the name, and a zero byte.
      let bytes = statement.data(1) ?? Data()
      guard bytes.count == 38 else { return }
      let name = String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
      named[name] = StoreDamage(
        .missingFile, entityIndex: map.entity.index, propertyName: property.name,
        key: statement.integer(0), detail: name)
    }
  }
}
