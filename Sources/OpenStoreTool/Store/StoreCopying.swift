package import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// A copy of a store at another location or in another kind of store, and the comparison of the two
/// stores.
///
/// The copy has the same keys, row versions and relationships, including the order of ordered
/// relationships.
///
/// The operation reads and writes 1,000 rows at a time. Do not write to the source during the
/// operation; otherwise, the comparison reports differences.
package struct StoreCopying {
  /// The result for one entity: the number of copied rows, the number of copied relationship
  /// members (`links`), and the number of differences between the two
  /// stores.
  package struct Result {
    package var entityName: String
    package var rows = 0
    package var links = 0
    package var differences = 0
  }

  private let source: InspectedStore
  private let destination: InspectedStore
  private let isCancelled: () -> Bool
  private let progress: (Double) -> Void
  /// The slots of each entity that are compared. Slots that contain the time of a save are not
  /// compared.
  private let comparedSlots: [[Int]]
  private static let portion = 1000

  /// Opens both stores. The destination must not exist.
  ///
  /// - Parameters:
  ///   - source: The path or URL of the source.
  ///   - destination: The path or URL of the copy.
  ///   - modelPath: The path of a model to use instead of the source's own model; nil to use the
  ///     source's own model.
  ///   - isCancelled: A closure that is called before each portion of rows and returns whether to
  ///     stop the operation.
  ///   - progress: A closure that receives the completed fraction, from 0 to 1.
  /// - Throws: `ToolError` with status `.unreadable` if the source or the model cannot be read, or
  ///   if the destination cannot be created. Throws `ToolError` with status `.usage` if the
  ///   destination exists, if a URL is not valid or not supported, or if a folder at `source` does
  ///   not contain exactly one store.
  package init(
    from source: String, to destination: String, modelPath: String?,
    isCancelled: @escaping () -> Bool = { false }, _ progress: @escaping (Double) -> Void
  ) throws {
    let url = try InspectedStore.url(at: source)
    let model = try InspectedStore.model(of: url, modelPath)
    let opened = try InspectedStore(url, model)
    self.source = opened
    let place = try InspectedStore.newURL(at: destination)
    let backend = opened.backend
    let textIndexes = try ToolError.reporting(InspectedStore.name(of: url)) {
      try opened.coordinator.textIndexes(of: opened.store)
    }
    self.destination = try InspectedStore(
      place, model,
      options: [
        NSReadOnlyPersistentStoreOption: false, NSIgnorePersistentStoreVersioningOption: false,
        OpenNewStoreIdentifierOption: backend.identifier,
        OpenHistoryBaseOption: NSNumber(value: try Self.historyBase(forCopyOf: backend)),
        OpenTextIndexOption: place.isFileURL && !textIndexes.isEmpty,
      ])
    self.isCancelled = isCancelled
    self.progress = progress
    comparedSlots = self.source.entities.map { entity in
      let times = entity.properties.filter { $0.attribute?.derivation == .now }
      return entity.slots.indices.filter { slot in !times.contains { $0.slot == slot } }
    }
  }

  /// Returns the number after which a copy begins to number its transactions.
  ///
  /// The copy has the identifier of the source, but not its history, so tokens of the source must
  /// not be valid for the copy.
  private static func historyBase(forCopyOf store: any StoreBackend) throws -> Int64 {
    do throws(StoreError) {
      return try (store as? any StoreNumbering)?.successorHistoryBase() ?? 0
    } catch {
      throw ToolError(.unreadable, InspectedStore.sentence(for: error))
    }
  }

  private var entities: [CompiledEntity] { source.entities }
  private var roots: [CompiledEntity] { entities.filter { $0.superIndex == nil } }

  /// Copies all data, compares the two stores, and closes the two stores.
  ///
  /// - Returns: A result for each entity, which contains the number of differences.
  /// - Throws: `ToolError` with status `.unreadable` if a store cannot be read or written, or if
  ///   the operation is canceled. The method then deletes the destination.
  package func run() throws -> [Result] {
    do {
      let total = try roots.reduce(0) { try $0 + source.backend.count(matching: plan(for: $1)) }
      var meter = Meter(total: 2 * total, report: progress)
      try reserveKeys()
      for root in roots { try copyRows(of: root, &meter) }
      try copyLinks()
      try copyMetadata()
      var results = entities.map { Result(entityName: $0.name) }
      for root in roots { try compare(root, &results, &meter) }
      progress(1)
      try source.close()
      try destination.close()
      return results
    } catch {
      try? destination.remove()  // The first error tells more.
      throw ToolError(.unreadable, InspectedStore.locatedSentence(for: error))
    }
  }

  /// A counter that reports the fraction of processed rows.
  private struct Meter {
    let total: Int
    let report: (Double) -> Void
    private var done = 0

    init(total: Int, report: @escaping (Double) -> Void) {
      (self.total, self.report) = (total, report)
    }

    mutating func add(_ count: Int) {
      done += count
      report(min(0.99, Double(done) / Double(max(total, 1))))
    }
  }

  private func plan(for root: CompiledEntity) -> FetchPlan {
    let key = PropertyPath(entityIndex: root.index, end: .object)
    return FetchPlan(
      shape: FetchShape(
        entity: root, includesSubentities: true, sort: [SortTerm(path: key, isAscending: true)]))
  }

  /// Passes the rows of a root entity and its subentities to a closure, in portions sorted by key.
  private func forEachPortion(
    of root: CompiledEntity, _ body: ([Row]) throws(StoreError) -> Void
  ) throws(StoreError) {
    var rows: [Row] = []
    try source.backend.forEachChunk(matching: plan(for: root)) { (chunk) throws(StoreError) in
      try checkCancellation()
      var new: [Row] = []
      chunk.forEachRow { new.append($0) }
      rows += new
      while rows.count >= Self.portion {
        try body(Array(rows.prefix(Self.portion)))
        rows.removeFirst(Self.portion)
      }
    }
    if !rows.isEmpty { try body(rows) }
  }

  private func checkCancellation() throws(StoreError) {
    if isCancelled() { throw StoreError(.interrupted, "The copy was interrupted.") }
  }

  private func write(_ changes: ChangeSet) throws(StoreError) {
    try checkCancellation()
    var changes = changes
    guard case .committed = try destination.backend.commit(&changes) else {
      throw StoreError(
        .constraintConflict,
        "The rows of the source violate the constraints of its model. Run coredata verify.")
    }
  }

  // MARK: Copying

  /// Reserves the keys that the source has assigned, so that no new object of the copy receives the
  /// key of an object that was deleted from the source.
  private func reserveKeys() throws(StoreError) {
    guard let numbering = source.backend as? any StoreNumbering else { return }
    _ = try destination.backend.reserveKeys(try numbering.lastKeys().mapValues { Int($0) })
  }

  private func copyRows(of root: CompiledEntity, _ meter: inout Meter) throws(StoreError) {
    try forEachPortion(of: root) { (rows) throws(StoreError) in
      var changes = ChangeSet()
      changes.inserted = rows
      try write(changes)
      meter.add(rows.count)
    }
  }

  /// A relationship whose pairs or order are not stored in the rows of an entity.
  private struct Link {
    let owner: CompiledEntity
    let property: CompiledProperty
    let isOrdered: Bool
    /// Whether the pairs are stored outside the rows and are copied for this side of the
    /// relationship.
    let hasPairs: Bool
  }

  private func declared(by entity: CompiledEntity) -> [CompiledProperty] {
    entity.properties.filter { $0.declaringEntityIndex == entity.index }
  }

  private var links: [Link] {
    let model = source.coordinator.model
    return entities.flatMap { owner in
      declared(by: owner).compactMap { property in
        guard let relationship = property.relationship, relationship.isToMany else { return nil }
        let inverse = model.inverse(of: relationship)
        let isHeld = inverse?.relationship?.isToMany == false
        // Of the two sides of many-to-many relationships one is enough.
        let isFirst =
          inverse.map {
            (owner.index, property.name) <= ($0.declaringEntityIndex, $0.name)
          } ?? true
        let link = Link(
          owner: owner, property: property, isOrdered: relationship.isOrdered,
          hasPairs: !isHeld && isFirst)
        return link.hasPairs || link.isOrdered ? link : nil
      }
    }
  }

  private func copyLinks() throws(StoreError) {
    let links = links
    for pass in [true, false] {
      for link in links where pass ? link.hasPairs : link.isOrdered {
        try forEachOwner(of: link) { (owners, members) throws(StoreError) in
          try write(pass ? pairs(link, owners, members) : orders(link, owners, members))
        }
      }
    }
  }

  private func forEachOwner(
    of link: Link, _ body: ([ObjectKey], [[ObjectKey]]) throws(StoreError) -> Void
  ) throws(StoreError) {
    let shape = FetchShape(entity: link.owner, includesSubentities: true)
    var owners: [ObjectKey] = []
    func flush() throws(StoreError) {
      let members = try source.backend.destinations(
        of: link.property, in: link.owner, sources: owners.map(\.key))
      try body(owners, members)
      owners = []
    }
    try source.backend.forEachKeyBatch(matching: FetchPlan(shape: shape)) {
      (keys) throws(StoreError) in
      for key in keys {
        owners.append(key)
        if owners.count == Self.portion { try flush() }
      }
    }
    if !owners.isEmpty { try flush() }
  }

  private func pairs(_ link: Link, _ owners: [ObjectKey], _ members: [[ObjectKey]]) -> ChangeSet {
    var changes = ChangeSet()
    for (owner, members) in zip(owners, members) {
      for member in members {
        changes.joinRows.append(
          ChangeSet.JoinRow(
            entityIndex: link.owner.index, ordinal: link.property.ordinal, source: owner,
            destination: member, isAdded: true))
      }
    }
    return changes
  }

  private func orders(_ link: Link, _ owners: [ObjectKey], _ members: [[ObjectKey]]) -> ChangeSet {
    var changes = ChangeSet()
    for (owner, members) in zip(owners, members) where !members.isEmpty {
      changes.orderings.append(
        ChangeSet.Ordering(
          entityIndex: link.owner.index, ordinal: link.property.ordinal, source: owner,
          members: members.map(\.key), isWhole: true, removed: []))
    }
    return changes
  }

  private func copyMetadata() throws(StoreError) {
    var changes = ChangeSet()
    changes.metadata = MetadataList.withoutHistory(try source.backend.metadata())
    try write(changes)
  }

  // MARK: Comparing

  private func compare(
    _ root: CompiledEntity, _ results: inout [Result], _ meter: inout Meter
  ) throws(StoreError) {
    let toMany = root.subtree.flatMap { index in
      declared(by: entities[index]).filter { $0.relationship?.isToMany == true }.map {
        (entities[index], $0)
      }
    }
    try forEachPortion(of: root) { (rows) throws(StoreError) in
      var found: [Int64: Row] = [:]
      try destination.backend.rows(of: root, keys: rows.map(\.key))
        .forEachRow { found[$0.key] = $0 }
      for row in rows {
        results[row.entityIndex].rows += 1
        guard let other = found[row.key], areEqual(row, other) else {
          results[row.entityIndex].differences += 1
          continue
        }
      }
      for (entity, property) in toMany {
        let owners = rows.filter { entity.subtree.contains($0.entityIndex) }
        if owners.isEmpty { continue }
        let keys = owners.map(\.key)
        let one = try source.backend.destinations(of: property, in: entity, sources: keys)
        let other = try destination.backend.destinations(of: property, in: entity, sources: keys)
        let isOrdered = property.relationship?.isOrdered == true
        for (owner, (one, other)) in zip(owners, zip(one, other)) {
          results[owner.entityIndex].links += one.count
          if isOrdered ? one != other : one.sorted() != other.sorted() {
            results[owner.entityIndex].differences += 1
          }
        }
      }
      meter.add(rows.count)
    }
    let plan = plan(for: root)
    if try source.backend.count(matching: plan) != destination.backend.count(matching: plan) {
      results[root.index].differences += 1
    }
  }

  /// Returns whether two rows have the same entity, version and values, except for the time of a
  /// save.
  private func areEqual(_ one: Row, _ other: Row) -> Bool {
    guard one.entityIndex == other.entityIndex, one.version == other.version else { return false }
    let entity = entities[one.entityIndex]
    return comparedSlots[entity.index].allSatisfy { Self.areEqual(one, other, $0, entity) }
  }

  private static func areEqual(
    _ one: Row, _ other: Row, _ slot: Int, _ entity: CompiledEntity
  ) -> Bool {
    switch (one.content(of: slot, in: entity), other.content(of: slot, in: entity)) {
    case (.null, .null): true
    case (.integer(let one), .integer(let other)): one == other
    case (.real(let one), .real(let other)): one.bitPattern == other.bitPattern
    case (.data(let one), .data(let other)): one == other
    case (.text(let one), .text(let other)):
      entity.slots[slot].kind == .decimal
        ? Decimal(string: one) == Decimal(string: other)
        : one.utf8.elementsEqual(other.utf8)
    default: false
    }
  }

  // MARK: Hashes

  /// Returns the version hashes of a store by entity name; empty if the store contains no hashes.
  ///
  /// - Throws: `ToolError` with status `.unreadable` if the metadata of the store cannot be read;
  ///   the errors of ``InspectedStore/url(at:)``.
  package static func hashes(at path: String) throws -> [String: Data] {
    try MetadataFacts(InspectedStore.url(at: path)).hashes ?? [:]
  }

  /// Returns the sorted names of the entities whose version hashes differ between two stores, or
  /// that only one of the stores contains; empty if there are none.
  ///
  /// - Parameters:
  ///   - source: The path or URL of one store.
  ///   - destination: The path or URL of the other store.
  /// - Throws: `ToolError` with status `.unreadable` if the metadata of a store cannot be read; the
  ///   errors of ``InspectedStore/url(at:)``.
  package static func changedHashes(
    from source: String, to destination: String
  ) throws -> [String] {
    let (old, new) = (try hashes(at: source), try hashes(at: destination))
    return Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
  }
}
