internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// Packs the unsaved changes of one store's objects into a change set.
///
/// The packed rows are the ones that the objects adopt after the commit.
struct ChangeSetBuilder {
  let share: SaveSet
  var changes = ChangeSet()
  private(set) var rows: [PackedObject] = []
  /// Inserted objects that got a permanent key, with the temporary one.
  private(set) var rekeyed: [RekeyedObject] = []
  private var writer: RowWriter
  private var values: [SlotValue] = []
  /// Objects whose rows must not have changed, whether or not they are written.
  var guarded: [NSManagedObject] = []
  /// Whether entities send pairs, by position, as far as it was asked.
  var linkSenders: [Int: Bool] = [:]
  /// Whether the store keeps a history, which has to know more than the rows show.
  var recordsHistory = false

  /// What a save adds to a row's version: nothing where it goes to a parent context.
  private let versionStep: Int64

  init(share: SaveSet, metadata: StoreMetadata?, raisesVersions: Bool = true) {
    self.share = share
    versionStep = raisesVersions ? 1 : 0
    let count = share.inserted.count + share.updated.count
    writer = RowWriter(capacity: count <= 4 ? 4 << 10 : 64 << 10)
    changes.metadata = metadata
  }

  var chunks: [RowChunk] { writer.chunks }

  /// Keys needed for inserted objects, by root entity.
  var newKeyCounts: [Int: Int] {
    var counts: [Int: Int] = [:]
    share.inserted.forEachBorrowed { object in
      if object.key < 0 { counts[object.compiledEntity.rootIndex, default: 0] += 1 }
    }
    return counts
  }

  /// Makes the change set, with the keys that the store set aside.
  mutating func make(_ firstKeys: [Int: Int64]) throws(StoreError) -> ChangeSet {
    assignKeys(firstKeys)
    changes.inserted.reserveCapacity(share.inserted.count)
    changes.updated.reserveCapacity(share.updated.count)
    rows.reserveCapacity(share.inserted.count + share.updated.count)
    try share.inserted.forEachBorrowed { (object) throws(StoreError) in
      try addInsertion(of: object)
    }
    var ahead = 3
    try share.updated.forEachBorrowed { (object) throws(StoreError) in
      if ahead < share.updated.count { share.updated[ahead].view.prefetch(384) }
      ahead += 1
      try addUpdate(of: object)
    }
    for object in share.deleted where !object.flags.contains(.missingRow) {
      changes.deleted.append(
        ChangeSet.Deletion(
          id: ObjectKey(entityIndex: object.compiledEntity.index, key: object.key),
          expectedVersion: object.view.version))
    }
    addExpectations(of: guarded)
    return changes
  }

  private mutating func assignKeys(_ firstKeys: [Int: Int64]) {
    var next = firstKeys
    rekeyed.reserveCapacity(share.inserted.count)
    share.inserted.forEachBorrowed { object in
      let root = object.compiledEntity.rootIndex
      guard object.key < 0, let key = next[root] else { return }
      rekeyed.append(RekeyedObject(object: object, temporaryKey: object.key))
      object.key = key
      next[root] = key + 1
    }
  }

  /// Gives inserted objects their temporary keys back after a commit that wrote nothing.
  func restoreTemporaryKeys() {
    for entry in rekeyed { entry.object.key = entry.temporaryKey }
  }

  private mutating func addInsertion(of object: NSManagedObject) throws(StoreError) {
    let row = try writer.row(of: object, version: object.view.version &+ versionStep)
    changes.inserted.append(row)
    rows.append(PackedObject(object, row))
    addLinks(of: object)
  }

  private mutating func addUpdate(of object: NSManagedObject) throws(StoreError) {
    if !object.edits.isEmpty {
      try borrowing(object.compiledEntity) { (entity) throws(StoreError) in
        try addUpdate(of: object, object.edits, entity)
      }
    }
    addLinks(of: object)
    addTouched(of: object)
  }

  private mutating func addUpdate(
    of object: NSManagedObject, _ edits: borrowing ObjectEdits, _ entity: CompiledEntity
  ) throws(StoreError) {
    let former = object.view
    let version = former.version
    var slots = OrdinalSet()
    let row: Row
    if Self.areFixed(edits, entity) {
      try writer.beginRow(over: former, with: edits, of: entity, changed: &slots)
      guard !slots.isEmpty else { return writer.dropRow() }
      row = writer.finishRow(of: entity, key: object.key, version: version &+ versionStep)
    } else {
      values.removeAll(keepingCapacity: true)
      try collect(edits, of: entity) { content, property in !content.equals(former, property) }
      guard !values.isEmpty else { return }
      for value in values { slots.insert(value.slot) }
      row = writer.row(
        of: entity, key: object.key, version: version &+ versionStep, over: former, values: values)
    }
    changes.updated.append(ChangeSet.Update(row: row, slots: slots, expectedVersion: version))
    rows.append(PackedObject(object, row))
  }

  /// Whether all edited values lie in the slots themselves: then nothing behind the slots moves.
  private static func areFixed(_ edits: borrowing ObjectEdits, _ entity: CompiledEntity) -> Bool {
    var areFixed = true
    edits.forEach { ordinal, _ in
      let slot = entity.slotPositions[ordinal]
      if slot < 0 || entity.slots[slot].kind.isVariable { areFixed = false }
    }
    return areFixed
  }

  /// Lowers edits to slot values, those that a test lets through.
  private mutating func collect(
    _ edits: borrowing ObjectEdits, of entity: CompiledEntity,
    _ isWanted: (SlotContent, CompiledProperty) -> Bool
  ) throws(StoreError) {
    try edits.forEach { (ordinal, edit) throws(StoreError) in
      try borrowing(entity.properties[ordinal]) { (property) throws(StoreError) in
        guard let slot = property.slot else { return }
        let content = try edit.content(ordinal, of: entity)
        guard isWanted(content, property) else { return }
        values.append(SlotValue(slot: slot, content: content))
        if let companion = property.relationship?.companionSlot {
          values.append(SlotValue(slot: companion, content: edit.companion))
        }
      }
    }
  }

  /// Slots whose edited value differs from the committed one.
  static func changedSlots(of object: NSManagedObject, _ edits: borrowing ObjectEdits) -> OrdinalSet
  {
    var slots = OrdinalSet()
    edits.forEach { ordinal, edit in
      let property = object.compiledEntity.properties[ordinal]
      guard let slot = property.slot else { return }
      // A value that cannot be packed differs from every committed one.
      let content = try? edit.content(ordinal, of: object.compiledEntity)
      if content?.equals(object.view, property) != true { slots.insert(slot) }
    }
    return slots
  }
}

extension RowWriter {
  /// Begins a row with the values of another and the edits that differ from them, none of which is text or data.
  fileprivate mutating func beginRow(
    over former: RowView, with edits: borrowing ObjectEdits, of entity: CompiledEntity,
    changed slots: inout OrdinalSet
  ) throws(StoreError) {
    beginRow(over: former)
    try edits.forEach { (ordinal, edit) throws(StoreError) in
      let slot = entity.slotPositions[ordinal]
      let content = try edit.content(ordinal, of: entity)
      guard !content.equals(former, slot, at: RowLayout.slot(slot, of: entity)) else { return }
      put(content, slot, of: entity)
      slots.insert(slot)
      guard let companion = entity.properties[ordinal].relationship?.companionSlot else { return }
      put(edit.companion, companion, of: entity)
      slots.insert(companion)
    }
  }
}

/// An object of a save and the row that was packed for it; neither is kept alive.
///
/// There are as many as objects to save, and each reference counted in memory that is not near costs as much as
/// fifty instructions: whoever has the list keeps the objects and the chunks.
struct PackedObject {
  unowned(unsafe) let object: NSManagedObject
  unowned(unsafe) let chunk: RowChunk
  let base: UnsafeRawPointer

  init(_ object: NSManagedObject, _ row: Row) {
    self.object = object
    chunk = row.chunk
    base = row.base
  }

  var row: Row { Row(chunk: chunk, base: base) }
}

/// An object of a save that got a permanent key; whoever has the list keeps the object.
struct RekeyedObject {
  unowned(unsafe) let object: NSManagedObject
  let temporaryKey: Int64
}

extension EditValue {
  /// The value as a row holds it.
  func content(_ ordinal: Int, of entity: CompiledEntity) throws(StoreError) -> SlotContent {
    let content: SlotContent?
    switch self {
    case .object(let object): content = .integer(object.key)
    case .value(let value):
      let slot = entity.slotPositions[ordinal]
      content = slot < 0 ? nil : SlotContent(value, as: entity.slots[slot].kind)
    case .boxed(let box): content = Self.archive(box.value)
    }
    guard let content else { throw Self.unfit(ordinal, of: entity) }
    return content
  }

  static func unfit(_ ordinal: Int, of entity: CompiledEntity) -> StoreError {
    StoreError(
      .unfitValue, "A value cannot be stored in its property.", entityName: entity.name,
      propertyName: entity.properties[ordinal].name)
  }

  private static func archive(_ value: Any) -> SlotContent? {
    do { return .data(try AttributeTransform.data(from: value)) } catch {
      GraphLog.error("A transformable value cannot be archived: \(error)")
      return nil
    }
  }

  /// The entity of a relationship's destination, as a row holds it beside the key.
  var companion: SlotContent {
    guard case .object(let object) = self else { return .null }
    return .integer(Int64(object.compiledEntity.index + 1))
  }
}

extension SlotContent {
  /// Whether the row holds the same content for a property; texts and data are compared as bytes.
  func equals(_ row: RowView, _ property: CompiledProperty) -> Bool {
    guard let slot = property.slot else { return false }
    return equals(row, slot, at: property.byteOffset)
  }

  /// Whether the row holds the same content in a slot, which is at a byte offset.
  fileprivate func equals(_ row: RowView, _ slot: Int, at offset: Int) -> Bool {
    let isNull = row.isNull(slot)
    if case .null = self { return isNull }
    if isNull { return false }
    switch self {
    case .null: return isNull
    case .integer(let integer): return row.integer(at: offset) == integer
    case .real(let real): return row.real(at: offset) == real
    case .text(var text):
      return text.withUTF8 { Self.equal(UnsafeRawBufferPointer($0), row.bytes(at: offset)) }
    case .data(let data):
      return data.withUnsafeBytes { Self.equal($0, row.bytes(at: offset)) }
    }
  }

  private static func equal(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool
  {
    guard one.count == other.count else { return false }
    guard let first = one.baseAddress, let second = other.baseAddress else { return true }
    return memcmp(first, second, one.count) == 0
  }
}
