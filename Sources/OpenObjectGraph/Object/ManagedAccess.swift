internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

// The functions that `@Managed` accessors call: one pair for each type of property. The functions
// are concrete, because a generic call across modules costs more than the access itself.

extension NSManagedObject {
  /// Returns the value of an integer or Boolean property; 0 for null.
  @inline(__always)
  final func integer(_ key: __ManagedKey, width: Int = 64) -> Int64 {
    guard let position = key.position(in: self, as: .integer, width: width), position.offset != 0
    else { return unpackedInteger(key, width) ?? 0 }
    if contents != .realized { FaultResolver.realize(self, for: key) }
    if let edit = edits[position.ordinal] {
      return width == 64 ? edit.integer : narrowed(edit.integer, key, width)
    }
    return view.integer(at: position.offset)
  }

  /// Returns the value of an integer or Boolean property; nil for null.
  @inline(__always)
  final func integerOrNil(_ key: __ManagedKey, width: Int = 64) -> Int64? {
    guard let position = key.position(in: self, as: .integer, width: width), position.offset != 0
    else { return unpackedInteger(key, width) }
    if contents != .realized { FaultResolver.realize(self, for: key) }
    if let edit = edits[position.ordinal] {
      if edit.isNull { return nil }
      return width == 64 ? edit.integer : narrowed(edit.integer, key, width)
    }
    return view.isNull(slot(at: position.offset)) ? nil : view.integer(at: position.offset)
  }

  /// Returns the value of a floating-point or date property; 0 for null.
  @inline(__always)
  final func real(_ key: __ManagedKey) -> Double {
    guard let position = key.position(in: self, as: .real), position.offset != 0 else {
      return unpackedReal(key) ?? 0
    }
    if contents != .realized { FaultResolver.realize(self, for: key) }
    if let edit = edits[position.ordinal] { return edit.real }
    return view.real(at: position.offset)
  }

  /// Returns the value of a floating-point or date property; nil for null.
  @inline(__always)
  final func realOrNil(_ key: __ManagedKey) -> Double? {
    guard let position = key.position(in: self, as: .real), position.offset != 0 else {
      return unpackedReal(key)
    }
    if contents != .realized { FaultResolver.realize(self, for: key) }
    if let edit = edits[position.ordinal] { return edit.isNull ? nil : edit.real }
    return view.isNull(slot(at: position.offset)) ? nil : view.real(at: position.offset)
  }

  @inline(__always)
  private final func slot(at offset: Int) -> Int {
    (offset &- RowLayout.nulls) / 8 &- compiledEntity.nullWordCount
  }

  /// Returns the value of a string property; nil for null.
  @inline(__always)
  final func text(_ key: __ManagedKey) -> String? {
    guard let position = key.position(in: self, as: .text), position.offset != 0 else {
      return typedValue(key)
    }
    if contents != .realized { FaultResolver.realize(self, for: key) }
    if let edit = edits[position.ordinal] { return edit.text }
    let text = view.bytes(at: position.offset)
    if text.isEmpty && view.isNull(slot(at: position.offset)) { return nil }
    return String(validPacked: text) ?? RowValue.unreadableText(of: self, position.ordinal)
  }

  private final func unpackedInteger(_ key: __ManagedKey, _ width: Int) -> Int64? {
    let number: NSNumber? = typedValue(key)
    return number.map { narrowed($0.int64Value, key, width) }
  }

  /// Limits an integer to the range of a width.
  ///
  /// A value out of range becomes the nearest value in the range and makes the next save throw.
  private final func narrowed(_ integer: Int64, _ key: __ManagedKey, _ width: Int) -> Int64 {
    guard width < 64 else { return integer }
    let limit = Int64(1) &<< Int64(width &- 1)
    if integer >= -limit, integer < limit { return integer }
    reportMisuse(
      "The value of the property \"\(key.name)\" does not fit into its Swift type, which has \(width) bits. Declare "
        + "the property as Int64.", key.name)
    return integer < 0 ? -limit : limit - 1
  }

  private final func unpackedReal(_ key: __ManagedKey) -> Double? {
    let value = anyValue(key)
    if let date = value as? Date { return date.timeIntervalSinceReferenceDate }
    let number: NSNumber? = value.flatMap { typed($0, key) }
    return number.flatMap { Value(any: $0)?.number }
  }

  /// Returns the value of any property by key, on the same path as `value(forKey:)`.
  final func anyValue(_ key: __ManagedKey) -> Any? {
    if KeyRecorder.records(key.name, on: self) { return nil }
    return readValue(forKey: key.name)
  }

  /// Returns the value of any property as a value of a Swift type; nil for null.
  ///
  /// For a value of another type, the method returns nil and makes the next save throw.
  final func typedValue<Value>(_ key: __ManagedKey) -> Value? {
    anyValue(key).flatMap { typed($0, key) }
  }

  /// Sets an attribute to a plain value.
  @inline(__always)
  final func set(
    _ value: __owned Value, _ key: __ManagedKey, as kind: SlotKind, width: Int = 64
  ) {
    guard let position = key.position(in: self, as: kind, width: width), position.offset != 0 else {
      writeValue(value.anyValue, forKey: key.name)
      return
    }
    setEdit(.value(value), position.ordinal)
  }

  /// Stores an edit and marks the object as changed.
  // The edit is consumed, because a copy would retain its contents.
  @inline(__always)
  final func setEdit(_ edit: consuming EditValue, _ ordinal: Int) {
    guard contents == .realized else { return setEditSlowly(consume edit, ordinal) }
    putEdit(consume edit, ordinal)
  }

  /// Fires the object's fault, sets the edit, and notifies observers before and after it.
  @inline(never)
  private final func setEditSlowly(_ edit: EditValue, _ ordinal: Int) {
    guard becomesEditable() else { return }
    changing(ordinal) { putEdit(edit, ordinal) }
  }

  @inline(__always)
  private final func putEdit(_ edit: consuming EditValue, _ ordinal: Int) {
    if !isNotedAsChanged { noteEdit(edit, ordinal) }
    // An inserted object usually gets most of its values soon; a saved object may get only this
    // value.
    edits.set(
      consume edit, for: ordinal,
      capacity: registration == .inserted ? min(compiledEntity.slots.count, 16) : 1)
  }

  /// Marks the object as changed before an edit.
  ///
  /// If the edit does not change the value, the running save does not call `willSave()` again.
  @inline(never)
  private final func noteEdit(_ edit: EditValue, _ ordinal: Int) {
    takeEventBaseline()
    let isUnchanged = flags.contains(.askedWillSave) && holds(edit, ordinal)
    if isUnchanged { setAsked(false) }
    markChanged()
    if isUnchanged { setAsked(true) }
  }

  /// Returns whether a property already has the value of an edit.
  private final func holds(_ edit: EditValue, _ ordinal: Int) -> Bool {
    if case .boxed(let box) = edit, case .boxed(let former)? = edits[ordinal] {
      return SeenValue.isSame(.attribute(former.value), .attribute(box.value))
    }
    return UndoComparison(of: self).isCurrent(edit, ordinal)
  }
}

extension EditValue {
  @inline(__always)
  var integer: Int64 {
    switch self {
    case .value(.int(let integer)): integer
    case .value(.bool(let flag)): flag ? 1 : 0
    case .value(let value): (value.anyValue as? NSNumber)?.int64Value ?? 0
    case .object, .boxed: 0
    }
  }

  @inline(__always)
  var real: Double {
    switch self {
    case .value(.double(let real)), .value(.date(let real)): real
    case .value(let value): (value.anyValue as? NSNumber)?.doubleValue ?? 0
    case .object, .boxed: 0
    }
  }

  @inline(__always)
  var text: String? {
    if case .value(.string(let text)) = self { return text }
    if case .value(let value) = self { return value.anyValue as? String }
    return nil
  }

  var isNull: Bool {
    if case .value(.null) = self { return true }
    return false
  }
}
