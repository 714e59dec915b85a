import COpenSQLite
import Foundation
import OpenObjectModel
import OpenSQLCore
public import OpenStoreContract

extension SQLiteStore: DamageReporting {
  /// The problem with the file, its tables of pairs, its key counters and its external values.
  ///
  /// - Returns: All that was found; nothing for a sound store.
  /// - Throws: `StoreError` when the file cannot be read.
  public func damage() throws(StoreError) -> [StoreDamage] {
    let waiting = try filesInWaiting()
    return try pool.withReader { (connection) throws(StoreError) in
      let search = DamageSearch(schema: schema, connection: connection)
      return try search.damage() + search.externalDamage(besides: waiting)
    }
  }
}

extension SQLiteStore {
  /// The external files that this store is going to delete.
  private func filesInWaiting() throws(StoreError) -> Set<String> {
    if pool.isShared || isReadOnly { return [] }
    return try pool.withWriter { $0.external?.removal.names ?? [] }
  }
}

/// Looks for damage on one connection, by SQL over the tables of a schema.
struct DamageSearch {
  let schema: SchemaMap
  let connection: Connection

  func damage() throws(StoreError) -> [StoreDamage] {
    var found = try brokenFile()
    for root in schema.entities where root.entity.superIndex == nil {
      found += try unknownEntities(root)
      found += try keysInUse(root)
    }
    for entity in schema.model.entities { found += try damagedJoinRows(of: entity) }
    return found
  }

  private func brokenFile() throws(StoreError) -> [StoreDamage] {
    var found: [StoreDamage] = []
    try connection.forEachRow("PRAGMA quick_check(20)") { statement in
      let text = statement.text(0) ?? ""
      if text != "ok" { found.append(StoreDamage(.brokenFile, detail: text)) }
    }
    return found
  }

  private func unknownEntities(_ root: EntityMap) throws(StoreError) -> [StoreDamage] {
    let numbers = root.tableEntities.map { String($0 + 1) }.joined(separator: ", ")
    let sql =
      "SELECT Z_PK, Z_ENT FROM \(quoted(root.table)) "
      + "WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers)) ORDER BY Z_PK"
    var found: [StoreDamage] = []
    try connection.forEachRow(sql) { statement in
      found.append(
        StoreDamage(
          .unknownEntity, entityIndex: root.entity.index, key: statement.integer(0),
          detail: String(statement.integer(1))))
    }
    return found
  }

  private func keysInUse(_ root: EntityMap) throws(StoreError) -> [StoreDamage] {
    let greatest =
      try connection.integer("SELECT MAX(Z_PK) FROM \(quoted(root.table))") ?? 0
    let counted =
      try connection.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(root.number)") ?? 0
    guard greatest > counted else { return [] }
    return [
      StoreDamage(.keysInUse, entityIndex: root.entity.index, key: greatest, detail: "\(counted)")
    ]
  }

  private func quoted(_ name: String) -> String { SQLiteDialect().quoted(name) }

  // MARK: Join rows

  private func damagedJoinRows(of entity: CompiledEntity) throws(StoreError) -> [StoreDamage] {
    var found: [StoreDamage] = []
    for property in entity.properties where property.declaringEntityIndex == entity.index {
      guard let relationship = property.relationship, let storage = schema.storage(of: property)
      else { continue }
      let destination = schema.model.entities[relationship.destinationIndex]
      switch storage {
      case .join(let side):
        // One of the two relationships names the table; each is looked at from its own side.
        found += try orphans(of: side, property, entity, missing: destination)
        if side.isReflexive { found += try oneSided(side, property, entity) }
      case .foreignKey(let key) where key.isHidden:
        found += try orphans(of: key, property, entity)
      case .foreignKey: continue  // A property of the destination holds the key.
      }
    }
    return found
  }

  /// Join rows without a destination, reported for their source.
  ///
  /// A join row without both objects is found from both sides, and reported from one.
  private func orphans(
    of side: ToManyStorage.JoinSide, _ property: CompiledProperty, _ entity: CompiledEntity,
    missing destination: CompiledEntity
  ) throws(StoreError) -> [StoreDamage] {
    let isSecond =
      property.relationship?.inverseOrdinal.map { ordinal in
        let inverse = destination.properties[ordinal]
        return (inverse.declaringEntityIndex, inverse.name) < (entity.index, property.name)
      } ?? false
    let sql =
      "SELECT l.\(quoted(side.source)), l.\(quoted(side.destination)) "
      + "FROM \(quoted(side.table)) AS l WHERE NOT \(hasRow(destination, "l", side.destination)) "
      + (isSecond ? "AND \(hasRow(entity, "l", side.source)) " : "") + "ORDER BY 1, 2"
    return try joinRows(.orphanedJoinRow, sql, property, entity)
  }

  /// Keys of missing owners, in a column without a property.
  private func orphans(
    of key: ToManyStorage.ForeignKey, _ property: CompiledProperty, _ entity: CompiledEntity
  ) throws(StoreError) -> [StoreDamage] {
    let sql =
      "SELECT l.\(quoted(key.column)), l.Z_PK FROM \(quoted(key.table)) AS l "
      + "WHERE l.\(quoted(key.column)) IS NOT NULL AND NOT \(hasRow(entity, "l", key.column)) "
      + "ORDER BY 1, 2"
    return try joinRows(.orphanedJoinRow, sql, property, entity)
  }

  /// Pairs of a relationship that is its own inverse, of which the reverse is missing.
  private func oneSided(
    _ side: ToManyStorage.JoinSide, _ property: CompiledProperty, _ entity: CompiledEntity
  ) throws(StoreError) -> [StoreDamage] {
    let (table, source, destination) = (
      quoted(side.table), quoted(side.source), quoted(side.destination)
    )
    let sql =
      "SELECT l.\(source), l.\(destination) FROM \(table) AS l WHERE NOT EXISTS (SELECT 1 "
      + "FROM \(table) AS r WHERE r.\(source) = l.\(destination) AND r.\(destination) = l.\(source)) "
      + "ORDER BY 1, 2"
    return try joinRows(.oneSidedJoinRow, sql, property, entity)
  }

  private func hasRow(_ entity: CompiledEntity, _ alias: String, _ column: String) -> String {
    let table = quoted(schema.entities[entity.index].table)
    let (first, last) = (entity.subtree.lowerBound + 1, entity.subtree.upperBound)
    return "EXISTS (SELECT 1 FROM \(table) AS d WHERE d.Z_PK = \(alias).\(quoted(column)) "
      + "AND d.Z_ENT BETWEEN \(first) AND \(last))"
  }

  private func joinRows(
    _ kind: StoreDamage.Kind, _ sql: String, _ property: CompiledProperty, _ entity: CompiledEntity
  ) throws(StoreError) -> [StoreDamage] {
    var found: [StoreDamage] = []
    try connection.forEachRow(sql) { statement in
      found.append(
        StoreDamage(
          kind, entityIndex: entity.index, propertyName: property.name, key: statement.integer(0),
          detail: String(statement.integer(1))))
    }
    return found
  }

  // MARK: External values

  /// Compares the files of external values with the rows that name them.
  ///
  /// - Parameter waiting: Files that are kept for older states of the store.
  func externalDamage(besides waiting: Set<String>) throws(StoreError) -> [StoreDamage] {
    guard let path = connection.path else { return [] }
    let files = StoreFiles(URL(fileURLWithPath: path))
    let named = try externalNames()
    let present = try ExternalFiles(files).names()
    let missing = named.filter { !present.contains($0.key) }.sorted { $0.key < $1.key }
    // If another store has values in the same folder, unused files cannot be determined.
    let unused =
      files.sharesSupportFolder ? [] : present.subtracting(named.keys).subtracting(waiting).sorted()
    return missing.map(\.value) + unused.map { StoreDamage(.unusedFile, detail: $0) }
  }

  /// The names of the files that rows name, each with the report to make if the file is missing.
  func externalNames() throws(StoreError) -> [String: StoreDamage] {
    var named: [String: StoreDamage] = [:]
    var seen: Set<String> = []
    for map in schema.entities {
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
