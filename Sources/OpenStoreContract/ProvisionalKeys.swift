public import OpenObjectModel

/// The keys that new rows in a change set have until the store assigns permanent keys.
///
/// A store reserves permanent keys inside the transaction that writes the rows. If the object graph
/// packed the rows at that point, application code would run while the store is locked. The object
/// graph therefore packs the rows beforehand with provisional keys. The store replaces these keys
/// with ``ChangeSet/assignKeys(_:in:)``.
public enum ProvisionalKey {
  /// The exclusive upper bound of provisional keys; the temporary keys of objects outside a save
  /// are greater.
  @inlinable @inline(__always)
  public static var upperBound: Int64 { Int64.min + (1 << 48) }

  /// Returns the provisional key of a new row from the row's position among all new rows of the
  /// same root entity.
  @inlinable @inline(__always)
  public static func key(at position: Int) -> Int64 { Int64.min + Int64(position) }

  /// Returns whether a key is provisional. A store must replace provisional keys.
  @inlinable @inline(__always)
  public static func contains(_ key: Int64) -> Bool { key < upperBound }

  /// Returns the permanent key for a provisional key, and any other key unchanged.
  ///
  /// - Parameters:
  ///   - key: A key of a row, or a foreign key.
  ///   - root: The root entity of the row with the key, as a position in the model.
  ///   - firstKeys: The first reserved key of each root entity, by position in the model; 0 for
  ///     none.
  static func permanent(_ key: Int64, _ root: Int, _ firstKeys: [Int64]) -> Int64 {
    guard contains(key), firstKeys[root] != 0 else { return key }
    return firstKeys[root] + (key - Int64.min)
  }
}

extension ChangeSet {
  /// Replaces all provisional keys in the change set with permanent keys, including keys in packed
  /// rows.
  ///
  /// A store calls this method once, in the transaction that writes the change set, before reading
  /// the first row.
  ///
  /// - Parameters:
  ///   - reserved: For each root entity in ``newRowCounts``, the first of the contiguous keys that
  ///     the store has reserved.
  ///   - model: The model of the rows.
  /// - Complexity: O(*n*) in the number of foreign keys and members in the change set; O(1) if the
  ///   change set has no new rows.
  public mutating func assignKeys(_ reserved: [Int: Int64], in model: CompiledModel) {
    guard !newRowCounts.isEmpty else { return }
    var firstKeys = [Int64](repeating: 0, count: model.entities.count)
    for (root, key) in reserved { firstKeys[root] = key }
    for row in inserted { Self.assignKeys(firstKeys, to: row, in: model, isNew: true) }
    for update in updated { Self.assignKeys(firstKeys, to: update.row, in: model, isNew: false) }
    func assign(_ id: inout ObjectKey) {
      id.key = ProvisionalKey.permanent(id.key, model.root(of: id), firstKeys)
    }
    for index in joinRows.indices {
      assign(&joinRows[index].source)
      assign(&joinRows[index].destination)
    }
    for index in orderings.indices {
      assign(&orderings[index].source)
      let ordering = orderings[index]
      let property = model.entities[ordering.entityIndex].properties[ordering.ordinal]
      guard let destination = property.relationship?.destinationIndex else { continue }
      let root = model.entities[destination].rootIndex
      orderings[index].members = ordering.members.map {
        ProvisionalKey.permanent($0, root, firstKeys)
      }
    }
    for index in touched.indices { assign(&touched[index].id) }
    newRowCounts = [:]
  }

  /// Replaces the provisional keys in a packed row that has not been read yet.
  private static func assignKeys(
    _ firstKeys: [Int64], to row: Row, in model: CompiledModel, isNew: Bool
  ) {
    let entity = model.entities[row.entityIndex]
    let base = UnsafeMutableRawPointer(mutating: row.base)
    func replace(at offset: Int, _ root: Int) {
      let key = base.load(fromByteOffset: offset, as: Int64.self)
      guard ProvisionalKey.contains(key) else { return }
      base.storeBytes(
        of: ProvisionalKey.permanent(key, root, firstKeys), toByteOffset: offset, as: Int64.self)
    }
    if isNew { replace(at: RowLayout.key, entity.rootIndex) }
    for place in entity.foreignKeys { replace(at: place.byteOffset, place.root) }
  }
}
