import OpenObjectModel
import OpenStoreContract

/// The migration of a relationship's pairs to a join table of the destination.
struct JoinMigration: Sendable {
  /// The join table of a new store.
  var table: SQLCreateTable
  /// The columns of the two keys.
  var columns: [String]
  /// The columns of the positions: of the second object among the members of the first, and of the
  /// first object among the members of the second.
  var places: (String?, String?)
  /// The storage of the pairs in the source. The owners belong in the first column.
  var pairs: [PairSource]
  /// Whether each pair must be stored in both directions.
  var isReflexive: Bool
  /// The source table that becomes the join table by renaming; nil if the join rows must be
  /// written.
  var kept: JoinTable?
  /// Whether objects of join rows may be missing.
  var mayDangle: Bool
  /// The entities to which the two keys refer.
  var ends: (EntityMap, EntityMap)

  /// Returns the migrations of all join tables of the destination, in the order of the layout.
  static func joins(_ origins: RelationshipOrigins) -> [JoinMigration] {
    var sides: [String: [(property: CompiledProperty, side: ToManyStorage.JoinSide)]] = [:]
    for entity in origins.transition.destination.entities {
      for property in entity.ownProperties {
        guard case .join(let side)? = origins.destination.storage(of: property) else { continue }
        sides[side.table, default: []].append((property, side))
      }
    }
    var joins = origins.destination.joins.compactMap { join in
      sides[join.name].flatMap { make(join, $0, origins) }
    }
    let users = Dictionary(grouping: joins.compactMap(\.kept?.name)) { $0 }
    for index in joins.indices where (users[joins[index].kept?.name ?? ""]?.count ?? 0) > 1 {
      joins[index].kept = nil
    }
    return joins
  }

  private static func make(
    _ join: JoinTable, _ sides: [(property: CompiledProperty, side: ToManyStorage.JoinSide)],
    _ origins: RelationshipOrigins
  ) -> JoinMigration? {
    guard let first = sides.first(where: { $0.side.source == join.columns[0] }),
      let relationship = first.property.relationship
    else { return nil }
    let reverse = sides.first { $0.side.source == join.columns[1] }
    let isReflexive = first.side.isReflexive
    var pairs = origins.pairs(to: first.property)
    if isReflexive,
      let own = pairs.first(where: { $0.owner != "Z_PK" && $0.destination != "Z_PK" }),
      origins.source.joins.contains(where: {
        $0.name == own.table && $0.columns == [own.owner, own.destination]
      })
    {
      pairs.removeAll { $0.isSame(as: own.reversed) && !$0.isSame(as: own) }
    }
    return JoinMigration(
      table: origins.destination.table(of: join), columns: join.columns,
      places: (first.side.orderColumn, reverse?.side.orderColumn), pairs: pairs,
      isReflexive: isReflexive,
      kept: kept(pairs, isReflexive, origins), mayDangle: origins.mayDangle(first.property),
      ends: (
        origins.destination.entities[first.property.declaringEntityIndex],
        origins.destination.entities[relationship.destinationIndex]
      ))
  }

  private static func kept(
    _ pairs: [PairSource], _ isReflexive: Bool, _ origins: RelationshipOrigins
  ) -> JoinTable? {
    guard pairs.count == 1, let pair = pairs.first,
      let table = origins.source.joins.first(where: { $0.name == pair.table }),
      table.columns == [pair.owner, pair.destination]
    else { return nil }
    let wasReflexive = origins.transition.source.entities.contains { entity in
      entity.ownProperties.contains { property in
        guard case .join(let side)? = origins.source.storage(of: property) else { return false }
        return side.table == table.name && side.isReflexive
      }
    }
    return wasReflexive == isReflexive ? table : nil
  }

  /// Returns the statements that write the join rows to the table with the given name.
  func fill(_ name: String, from schema: String?) -> [MigrationStep] {
    let names = columns + [places.0, places.1].compactMap { $0 }
    return pairs.flatMap { pairs in
      (isReflexive ? [pairs, pairs.reversed] : [pairs]).map { pairs in
        let select = pairs.pairs(schema: schema, places: (places.0 != nil, places.1 != nil))
        var insert = SQLInsert(into: name, columns: names, select)
        insert.ignoresDuplicates = true
        return .rows(of: name, .insert(insert))
      }
    }
  }

  /// Returns the statements that give a kept join table its new columns. The table already has its
  /// new name.
  ///
  /// - Parameter keyType: The type of the columns of positions.
  func renamingColumns(_ keyType: String) -> [MigrationStep] {
    guard let kept, let pair = pairs.first else { return [] }
    let wanted = [(places.0, pair.place), (places.1, pair.reversePlace)]
    var renames = zip(kept.columns, columns).filter { $0 != $1 }.map { (old: $0, new: $1) }
    var steps: [MigrationStep] = []
    let present = Set([pair.place, pair.reversePlace].compactMap { $0 })
    let stay = Set(wanted.compactMap { new, old in new == nil ? nil : old })
    for column in present.subtracting(stay).sorted() {
      steps.append(
        MigrationStep(.alter(.dropColumn(column, table: table.name)), rewriting: table.name))
    }
    for case (let new?, let old?) in wanted where new != old { renames.append((old, new)) }
    steps += TableMigration.renaming(
      renames, of: table.name, taken: Set(kept.columns).union(stay))
    for case (let new?, nil) in wanted {
      steps.append(
        MigrationStep(.alter(.addColumn(.init(new, keyType), table: table.name))))
    }
    return steps
  }
}
