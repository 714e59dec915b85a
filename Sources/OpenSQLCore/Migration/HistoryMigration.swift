package import Foundation
import OpenObjectModel
import OpenStoreContract

/// Converts the rows of the persistent history to another model: the entity numbers, the masks of
/// changed properties, and the preserved values of deleted rows.
package struct HistoryMigration: Sendable {
  private let transition: ModelTransition
  private let source: SchemaMap
  private let destination: SchemaMap
  /// The masks of both models and the destination ordinals by source ordinal, by the number of the
  /// source entity.
  private var masks: [Int64: (old: HistoryMask, new: HistoryMask, ordinals: [Int: Int])] = [:]
  /// The source of each preserved value of deleted rows, by the number of the source entity and the
  /// new position; nil for values that the source does not preserve.
  private var tombstones: [Int64: [TombstoneSource?]] = [:]
  /// The new names of properties, by the number of the source entity and the old name. The
  /// dictionary contains an entity only if a property has a new name, or if the name of a removed
  /// property belongs to another property in the destination.
  package private(set) var renamedProperties: [Int64: [String: String]] = [:]

  /// Creates the conversion for a migration.
  package init(_ migration: SchemaMigration) {
    transition = migration.transition
    source = migration.source
    destination = migration.destination
    for (index, step) in transition.entities.enumerated() {
      guard let step else { continue }
      let old = transition.source.entities[step.sourceIndex]
      let new = transition.destination.entities[index]
      let ordinals = Self.ordinals(step, old, new)
      let number = source.numbers.number(of: old.index)
      masks[number] = (HistoryMask(of: old), HistoryMask(of: new), ordinals)
      let kept = old.tombstoneProperties
      let (oldMap, newMap) = (source.entities[old.index], destination.entities[index])
      let names = Dictionary(
        old.properties.compactMap { property in
          ordinals[property.ordinal].map { (property.name, new.properties[$0].name) }
        }, uniquingKeysWith: { first, _ in first })
      let isRenamed = old.properties.contains { property in
        names[property.name] != property.name
          && (names[property.name] != nil || new.ordinal(of: property.name) != nil)
      }
      if isRenamed { renamedProperties[number] = names }
      tombstones[number] = new.tombstoneProperties.map { property -> TombstoneSource? in
        guard let position = kept.firstIndex(where: { ordinals[$0.ordinal] == property.ordinal }),
          let oldColumn = oldMap.column(kept[position].ordinal),
          let newColumn = newMap.column(property.ordinal)
        else { return nil }
        return TombstoneSource(
          position: position,
          conversion: ColumnSource.Conversion(from: oldColumn, to: newColumn))
      }
    }
  }

  /// The column in which the source preserves a value of deleted rows.
  private struct TombstoneSource: Sendable {
    let position: Int
    /// The conversion of the value; nil if the destination stores the value in the same form.
    let conversion: ColumnSource.Conversion?
    var column: String { HistoryTables.tombstoneColumn(position) }

    /// The value in the form of the destination.
    ///
    /// The file of an external value was deleted with its row, so a reference becomes null.
    var value: SQLExpression {
      let stored = SQLExpression.column(table: nil, column)
      guard let conversion else { return stored }
      let converted = ColumnSource.converted(stored, conversion)
      guard conversion == .untagged else { return converted }
      let tag = SQLExpression.function("substr", [stored, .integer(1), .integer(1)])
      return .choice(.binary(.equal, tag, .data(Data([1]))), converted, .null)
    }
  }

  /// The columns of preserved values in the table `ACHANGE` that only the source model needs.
  ///
  /// ``steps(_:)`` reads these columns, and then removes them.
  package var surplusColumns: [String] {
    let count = HistoryTables.tombstoneCount(of: transition.destination)
    let old = HistoryTables.tombstoneCount(of: transition.source)
    return (count..<max(count, old)).map(HistoryTables.tombstoneColumn)
  }

  private static func ordinals(
    _ step: EntityTransition, _ old: CompiledEntity, _ new: CompiledEntity
  ) -> [Int: Int] {
    var ordinals: [Int: Int] = [:]
    for (ordinal, origin) in step.properties.enumerated() {
      if let origin { ordinals[origin] = ordinal }
    }
    for property in new.properties where property.attribute?.derivation != nil {
      if let origin = old.ordinal(of: property.name) { ordinals[origin] = property.ordinal }
    }
    return ordinals
  }

  /// Returns a mask of changed properties, converted to the new model.
  ///
  /// - Parameters:
  ///   - mask: The mask under the source model.
  ///   - number: The number of the entity in the source.
  /// - Returns: The mask under the destination model; the given mask if the entity has no
  ///   destination.
  package func mask(_ mask: Data, of number: Int64) -> Data {
    guard let entry = masks[number] else { return mask }
    return entry.old.translated(mask, to: entry.new, entry.ordinals)
  }

  /// Returns the statements that convert the rows of the history to the new model.
  ///
  /// - Parameter columns: The columns of the table `ACHANGE`.
  package func steps(_ columns: [String]) -> [MigrationStep] {
    let table = "ACHANGE"
    var steps: [MigrationStep] = []
    let number = SQLExpression.column(table: nil, "ZENTITY")
    let removed = transition.destinations.enumerated().filter { $0.element == nil }
      .map { SQLExpression.integer(source.numbers.number(of: $0.offset)) }
    if !removed.isEmpty {
      steps.append(
        .rows(of: table, .delete(SQLDelete(from: table, where: .isIn(number, removed)))))
    }
    let count = HistoryTables.tombstoneCount(of: transition.destination)
    let names = (0..<count).map(HistoryTables.tombstoneColumn)
    for name in names where !columns.contains(name) {
      steps.append(MigrationStep(.alter(.addColumn(.init(name, "BLOB"), table: table))))
    }
    var values: [(column: String, value: SQLExpression)] = []
    if let value = renumbered(number) { values.append(("ZENTITY", value)) }
    let changed = changedMasks
    if !changed.isEmpty {
      let mask = SQLExpression.column(table: nil, "ZCOLUMNS")
      let new = SQLExpression.function(MigrationFunction.mask, [number, mask])
      values.append(
        ("ZCOLUMNS", .choice(.isIn(number, changed.map { .integer($0) }), new, mask)))
    }
    for position in 0..<count {
      if let value = tombstone(position, number, among: columns) {
        values.append((HistoryTables.tombstoneColumn(position), value))
      }
    }
    if !values.isEmpty {
      steps.append(.rows(of: table, .update(SQLUpdate(table, set: values, where: nil))))
    }
    for name in surplusColumns where columns.contains(name) {
      steps.append(MigrationStep(.alter(.dropColumn(name, table: table)), rewriting: table))
    }
    return steps
  }

  private func renumbered(_ number: SQLExpression) -> SQLExpression? {
    let changed = transition.destinations.enumerated().compactMap { index, position in
      position.map { (source.numbers.number(of: index), destination.numbers.number(of: $0)) }
    }.filter { $0.0 != $0.1 }
    if changed.isEmpty { return nil }
    return changed.reduce(number) { rest, entry in
      .choice(
        .binary(.equal, number, .integer(entry.0)), .integer(entry.1), rest)
    }
  }

  /// The numbers of the source entities whose masks change.
  private var changedMasks: [Int64] {
    masks.filter { !$0.value.old.isSame(as: $0.value.new, $0.value.ordinals) }.map(\.key).sorted()
  }

  /// Returns the new value of a column of preserved values, or nil if the column does not change.
  ///
  /// - Parameter columns: The columns of the table before the migration.
  private func tombstone(
    _ position: Int, _ number: SQLExpression, among columns: [String]
  ) -> SQLExpression? {
    let own = SQLExpression.column(table: nil, HistoryTables.tombstoneColumn(position))
    var value = own
    var isSame = true
    for (entity, positions) in tombstones.sorted(by: { $0.key < $1.key }) {
      let origin = positions.indices.contains(position) ? positions[position] : nil
      let had =
        transition.source.entities[source.numbers.index(of: entity)].tombstoneProperties.count
        > position
      let isKept = origin.map { $0.position == position && $0.conversion == nil } ?? !had
      if isKept { continue }
      isSame = false
      let new = origin.flatMap { columns.contains($0.column) ? $0.value : nil }
      value = .choice(.binary(.equal, number, .integer(entity)), new ?? .null, value)
    }
    return isSame ? nil : value
  }
}
