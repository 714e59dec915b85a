internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// Packs the unsaved changes of one store's objects into a change set.
///
/// After the commit, the packed rows replace the objects' former rows.
struct ChangeSetBuilder {
  let share: SaveSet
  var changes = ChangeSet()
  private(set) var rows: [PackedObject] = []
  /// Inserted objects that received a permanent key, with their temporary keys.
  private(set) var rekeyed: [RekeyedObject] = []
  private var writer: RowWriter
  /// Objects whose stored rows must be unchanged at the commit, even if the save does not write the
  /// objects.
  var guarded: [NSManagedObject] = []
  /// A cache of whether entities write join rows, by entity index.
  var joinRowWriters: [Int: Bool] = [:]
  /// Whether the store records persistent history, which requires more information than the rows
  /// contain.
  var recordsHistory = false

  /// The objects to which the saved rows and join rows refer.
  var references: SavedReferences

  /// The increment of a row's version: 0 if the save goes to a parent context.
  private let versionStep: Int64

  init(share: SaveSet, raisesVersions: Bool = true) {
    self.share = share
    versionStep = raisesVersions ? 1 : 0
    references = SavedReferences(raisesVersions ? .store : .parent)
    let count = share.inserted.count + share.updated.count
    writer = RowWriter(capacity: count <= 4 ? 4 << 10 : 64 << 10)
  }

  var chunks: [RowChunk] { writer.chunks }

  /// The keys that identify objects without a permanent key in the change set.
  enum Naming {
    /// Provisional keys, which the store replaces.
    case newRows
    /// Temporary keys, for a parent context.
    case temporary
  }

  /// Archives the transformable values that validation has not archived, such as values that a
  /// merge policy set. Archiving runs code of the application.
  ///
  /// ``pack(naming:)`` uses the archives and then releases them.
  func archiveValues() throws(StoreError) {
    try forEachEditedObject { (object) throws(StoreError) in
      guard object.edits.mayHaveBoxes else { return }
      try object.edits.forEach { (ordinal, edit) throws(StoreError) in
        let entity = object.compiledEntity
        guard case .boxed(let box) = edit, entity.slotPositions[ordinal] >= 0 else { return }
        do throws(ModelError) { try box.makeArchive(for: entity.properties[ordinal]) } catch {
          throw EditValue.unfit(ordinal, of: entity)
        }
      }
    }
  }

  private func forgetArchives() {
    forEachEditedObject { object in
      guard object.edits.mayHaveBoxes else { return }
      object.edits.forEach { _, edit in
        if case .boxed(let box) = edit { box.forgetArchive() }
      }
    }
  }

  @inline(__always)
  private func forEachEditedObject<Failure>(
    _ body: (NSManagedObject) throws(Failure) -> Void
  ) throws(Failure) {
    try share.inserted.forEachBorrowed(body)
    try share.updated.forEachBorrowed(body)
  }

  /// Packs the objects' changes. Packing runs no code of the application.
  ///
  /// - Throws: `StoreError` for a value that does not fit its property, and for a relationship to
  ///   an object that cannot be saved.
  mutating func pack(naming: Naming) throws(StoreError) {
    defer { forgetArchives() }
    if naming == .newRows { assignProvisionalKeys() }
    do throws(StoreError) {
      try packShare()
    } catch {
      // The marks must not outlive the attempt.
      _ = references.takeReferenced()
      throw error
    }
    changes.referenced = references.takeReferenced()
    try references.throwFailures()
  }

  private mutating func packShare() throws(StoreError) {
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
    for object in share.deleted where !object.isRowMissing {
      changes.deleted.append(
        ChangeSet.Deletion(
          id: ObjectKey(entityIndex: object.compiledEntity.index, key: object.key),
          expectedVersion: object.view.version))
    }
    addExpectations(of: guarded)
  }

  /// Gives inserted objects provisional keys, which the change set uses until the store assigns
  /// permanent keys.
  mutating func assignProvisionalKeys() {
    var counts = [Int](
      repeating: 0, count: share.inserted.first?.compiledEntity.model.entities.count ?? 0)
    rekeyed.reserveCapacity(share.inserted.count)
    share.inserted.forEachBorrowed { object in
      guard object.key < 0 else { return }
      let root = object.compiledEntity.rootIndex
      rekeyed.append(RekeyedObject(object: object, temporaryKey: object.key))
      object.key = ProvisionalKey.key(at: counts[root])
      counts[root] += 1
    }
    for (root, count) in counts.enumerated() where count > 0 { changes.newRowCounts[root] = count }
  }

  /// Restores the temporary keys of inserted objects after a commit that wrote nothing.
  func restoreTemporaryKeys() {
    for entry in rekeyed { entry.object.key = entry.temporaryKey }
  }

  /// Gives inserted objects the permanent keys that the store assigned.
  func adoptKeys() {
    var index = 0
    share.inserted.forEachBorrowed { object in
      object.key = changes.inserted[index].key
      index += 1
    }
  }

  private mutating func addInsertion(of object: NSManagedObject) throws(StoreError) {
    let row = try writer.row(of: object, version: object.view.version &+ versionStep) {
      references.note($0, $1, of: object)
    }
    changes.inserted.append(row)
    rows.append(PackedObject(object, row))
    addJoinRows(of: object)
  }

  private mutating func addUpdate(of object: NSManagedObject) throws(StoreError) {
    if !object.edits.isEmpty {
      try borrowing(object.compiledEntity) { (entity) throws(StoreError) in
        try addUpdate(of: object, object.edits, entity)
      }
    }
    addJoinRows(of: object)
    addTouched(of: object)
  }

  private mutating func addUpdate(
    of object: NSManagedObject, _ edits: borrowing ObjectEdits, _ entity: CompiledEntity
  ) throws(StoreError) {
    let former = object.view
    var slots = OrdinalSet()
    if edits.mayHaveBoxes {
      try beginRow(over: former, withBoxes: edits, of: entity, changed: &slots)
    } else {
      try beginRow(over: former, with: edits, of: entity, changed: &slots)
    }
    edits.forEachBorrowed { ordinal, edit in noteReference(edit, ordinal, of: object, slots) }
    guard !slots.isEmpty else { return guardPairs(of: object, edits, entity) }
    let row = writer.finishRow(
      of: entity, key: object.key, version: former.version &+ versionStep)
    changes.updated.append(
      ChangeSet.Update(row: row, slots: slots, expectedVersion: former.version))
    rows.append(PackedObject(object, row))
  }

  /// Guards the row of an object whose one-to-one relationship was set to its former destination,
  /// because a newer stored row may refer to another object.
  private mutating func guardPairs(
    of object: NSManagedObject, _ edits: borrowing ObjectEdits, _ entity: CompiledEntity
  ) {
    var hasPair = false
    edits.forEachBorrowed { ordinal, _ in
      if entity.foreignKey(ordinal)?.inverse?.isToMany == false { hasPair = true }
    }
    if hasPair, versionStep > 0 { guarded.append(object) }
  }

  /// Begins a row with the values of another row and with the edits that differ from these values,
  /// except edits of derived attributes. If no edit differs, no row is begun.
  private mutating func beginRow(
    over former: RowView, with edits: borrowing ObjectEdits, of entity: CompiledEntity,
    changed slots: inout OrdinalSet
  ) throws(StoreError) {
    var replacesBytes = false
    try edits.forEachBorrowed { (ordinal, edit) throws(StoreError) in
      let slot = entity.slotPositions[ordinal]
      guard slot >= 0, !entity.slots[slot].isDerived,
        try !edit.isHeld(by: former, slot, ordinal, of: entity)
      else { return }
      slots.insert(slot)
      if entity.slots[slot].kind.isVariable { replacesBytes = true }
    }
    guard !slots.isEmpty else { return }
    if replacesBytes {
      writer.beginRow(over: former, without: slots, of: entity)
    } else {
      writer.beginRow(over: former)
    }
    try edits.forEachBorrowed { (ordinal, edit) throws(StoreError) in
      let slot = entity.slotPositions[ordinal]
      guard slot >= 0, slots.contains(slot) else { return }
      try writer.put(edit, ordinal, of: entity)
      guard let discriminator = entity.properties[ordinal].relationship?.discriminatorSlot else {
        return
      }
      writer.put(edit.discriminator, discriminator, of: entity)
      slots.insert(discriminator)
    }
  }

  /// Begins a row with transformable values, each of which is archived only once, because archiving
  /// runs code of the application.
  private mutating func beginRow(
    over former: RowView, withBoxes edits: borrowing ObjectEdits, of entity: CompiledEntity,
    changed slots: inout OrdinalSet
  ) throws(StoreError) {
    var values: [SlotValue] = []
    try edits.forEach { (ordinal, edit) throws(StoreError) in
      let property = entity.properties[ordinal]
      guard let slot = property.slot, !entity.slots[slot].isDerived else { return }
      let content = try edit.content(ordinal, of: entity)
      if content.equals(former, slot, at: property.byteOffset) { return }
      values.append(SlotValue(slot: slot, content: content))
      if let discriminator = property.relationship?.discriminatorSlot {
        values.append(SlotValue(slot: discriminator, content: edit.discriminator))
      }
    }
    slots = OrdinalSet(values.lazy.map(\.slot))
    guard !slots.isEmpty else { return }
    writer.beginRow(over: former, without: slots, of: entity)
    try writer.put(values, of: entity)
  }

  /// Returns the slots whose edited value differs from the committed value.
  static func changedSlots(of object: NSManagedObject, _ edits: borrowing ObjectEdits) -> OrdinalSet
  {
    var slots = OrdinalSet()
    let entity = object.compiledEntity
    edits.forEach { ordinal, edit in
      let slot = entity.slotPositions[ordinal]
      guard slot >= 0 else { return }
      // A value that cannot be packed differs from every committed one.
      let isHeld = try? edit.isHeld(by: object.view, slot, ordinal, of: entity)
      if isHeld != true || edit.isInOtherStore(than: object) { slots.insert(slot) }
    }
    return slots
  }
}

/// An object of a save and its packed row. The structure does not retain the object and the row.
///
/// The owner of the list retains the objects and the chunks. A save has one packed object for each
/// object to save, and a retain of an object outside the processor cache costs about as much as
/// fifty instructions.
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

/// An object of a save that received a permanent key. The owner of the list retains the object.
struct RekeyedObject {
  unowned(unsafe) let object: NSManagedObject
  let temporaryKey: Int64
}

extension EditValue {
  /// Returns the value in the form in which a row contains it.
  func content(_ ordinal: Int, of entity: CompiledEntity) throws(StoreError) -> SlotContent {
    let content: SlotContent?
    switch self {
    case .object(let object): content = .integer(object.key)
    case .value(let value):
      let slot = entity.slotPositions[ordinal]
      let column = slot < 0 ? nil : entity.slots[slot]
      content = column.flatMap {
        $0.domain.accepts(value) ? SlotContent(value, as: $0.kind) : nil
      }
    case .boxed(let box): content = Self.archive(box, entity.properties[ordinal])
    }
    guard let content else { throw Self.unfit(ordinal, of: entity) }
    return content
  }

  /// Returns whether a row contains the value in a property's slot. Strings and data are compared
  /// by their bytes.
  @inline(__always)
  func isHeld(
    by row: RowView, _ slot: Int, _ ordinal: Int, of entity: CompiledEntity
  ) throws(StoreError) -> Bool {
    let offset = RowLayout.slot(slot, of: entity)
    // The most frequent types of values are compared directly.
    switch (entity.slots[slot].kind, self) {
    case (_, .value(.null)): return row.isNull(slot)
    case (_, .object(let object)): return !row.isNull(slot) && row.integer(at: offset) == object.key
    case (.integer, .value(.int(let integer))):
      return !row.isNull(slot) && row.integer(at: offset) == integer
    case (.integer, .value(.bool(let flag))):
      return !row.isNull(slot) && row.integer(at: offset) == (flag ? 1 : 0)
    case (.real, .value(.double(let real))), (.real, .value(.date(let real))):
      return !row.isNull(slot) && row.real(at: offset) == real
    case (.text, .value(.string(let text))):
      if row.isNull(slot) { return false }
      let isSame = text.utf8.withContiguousStorageIfAvailable {
        SlotContent.equal(UnsafeRawBufferPointer($0), row.bytes(at: offset))
      }
      if let isSame { return isSame }
    default: break
    }
    return try content(ordinal, of: entity).equals(row, slot, at: offset)
  }

  static func unfit(_ ordinal: Int, of entity: CompiledEntity) -> StoreError {
    StoreError(
      .unfitValue, "A value cannot be stored in its property.", entityName: entity.name,
      propertyName: entity.properties[ordinal].name)
  }

  /// Returns the archive that the save made before it packed rows; a new archive if a child context
  /// reads the value.
  private static func archive(_ box: AnyBox, _ property: CompiledProperty) -> SlotContent? {
    if let archive = box.archive { return .data(archive) }
    do throws(ModelError) {
      return .data(try AttributeTransform.data(from: box.value, property))
    } catch {
      GraphLog.error("A value of \(property.name) cannot be archived: \(error.message)")
      return nil
    }
  }

  /// The entity discriminator of the destination; null if the value is not an object.
  var discriminator: SlotContent {
    guard case .object(let object) = self else { return .null }
    return .integer(Int64(object.compiledEntity.index + 1))
  }
}

extension SlotContent {
  /// Returns whether a row contains this content in a slot at a byte offset. Strings and data are
  /// compared by their bytes.
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

  fileprivate static func equal(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer)
    -> Bool
  {
    guard one.count == other.count else { return false }
    guard let first = one.baseAddress, let second = other.baseAddress else { return true }
    return memcmp(first, second, one.count) == 0
  }
}
