/// The contents of a store and three contexts, computed with the simplest rules: the oracle of
/// random histories.
///
/// A constant code identifies each book. Every context retains all objects that it has seen.
struct ReferenceModel {
  /// The values of one book.
  struct Record: Equatable {
    var fields: [Int]
    var version = 0
  }

  /// The state of one context on top of its source.
  struct Side {
    /// Values as last read, by code.
    var base: [Int: Record] = [:]
    /// Books for which the context has objects, including faults.
    var known: Set<Int> = []
    var inserted: [Int: Record] = [:]
    /// Unsaved values by field and by code; empty for an object that was only marked as changed.
    var edits: [Int: [Int: Int]] = [:]
    var deleted: Set<Int> = []
    /// The books among them that another context deleted: a save writes nothing for them.
    var lost: Set<Int> = []
    /// The books among them that the context itself did not delete: they return with their row.
    var taken: Set<Int> = []
    /// The books among them that the context had deleted and saved: undo still restores them.
    var phantoms: Set<Int> = []
    /// The unsaved values of deleted objects, for undoing the deletion.
    var parked: [Int: [Int: Int]] = [:]
  }

  /// A reads from the stores, B from A, and C from the stores, merging what A saves. D only reads, and pins generations.
  enum Name: Int, CaseIterable { case a, b, c, d }

  /// The rows that D reads.
  enum Pin {
    /// The contents of the stores.
    case none
    /// The contents of the stores at its next read.
    case next
    case at([Int: Record])
  }

  /// Whether generations can be pinned.
  let pins: Bool
  var pin = Pin.none

  var store: [Int: Record] = [:]
  /// Books that have, or had, a row.
  private var saved: Set<Int> = []
  private var sides: [Name: Side] = [:]
  var history: [Name: Steps] = [.a: Steps(), .c: Steps()]

  init(pins: Bool) { self.pins = pins }

  subscript(name: Name) -> Side {
    get { sides[name] ?? Side() }
    set { sides[name] = newValue }
  }

  // MARK: Reading

  /// The result of a fetch of all books, which registers them with the context.
  mutating func view(_ name: Name) -> [Int: [Int]] {
    let source = source(of: name)
    var side = self[name]
    var result: [Int: [Int]] = [:]
    for (code, record) in source
    where !side.deleted.contains(code) && side.inserted[code] == nil {
      let known = side.base[code] ?? record
      side.base[code] = known
      side.known.insert(code)
      result[code] = Self.apply(side.edits[code], to: known).fields
    }
    for (code, edits) in side.edits where result[code] == nil {
      if let known = side.base[code] { result[code] = Self.apply(edits, to: known).fields }
    }
    for (code, record) in side.inserted { result[code] = record.fields }
    self[name] = side
    return result
  }

  /// The rows that a context reads.
  private mutating func source(of name: Name) -> [Int: Record] {
    switch name {
    case .a, .c: return store
    case .b: return view(.a).mapValues { Record(fields: $0) }
    case .d:
      guard pins else { return store }
      if case .next = pin { pin = .at(store) }
      if case .at(let rows) = pin { return rows }
      return store
    }
  }

  static func apply(_ edits: [Int: Int]?, to record: Record) -> Record {
    var record = record
    for (field, value) in edits ?? [:] { record.fields[field] = value }
    return record
  }

  // MARK: Editing

  mutating func insert(_ code: Int, _ fields: [Int], in name: Name) {
    self[name].inserted[code] = Record(fields: fields)
  }

  mutating func edit(_ code: Int, _ field: Int, _ value: Int, in name: Name) {
    if self[name].inserted[code] != nil {
      self[name].inserted[code]?.fields[field] = value
    } else {
      self[name].edits[code, default: [:]][field] = value
    }
  }

  mutating func delete(_ code: Int, in name: Name) {
    if self[name].inserted.removeValue(forKey: code) != nil { return }
    // A second deletion, such as a child's of an object that its parent deleted, changes nothing.
    if self[name].deleted.contains(code) { return }
    self[name].parked[code] = self[name].edits.removeValue(forKey: code)
    self[name].deleted.insert(code)
  }

  // MARK: Forgetting

  mutating func rollback(_ name: Name) {
    forgetSteps(name)
    for code in self[name].deleted where isGone(code, for: name) { self[name].base[code] = nil }
    self[name].inserted = [:]
    self[name].edits = [:]
    for code in self[name].lost {
      self[name].base[code] = nil
      self[name].known.remove(code)
    }
    self[name].deleted = []
    self[name].lost = []
    self[name].taken = []
    self[name].phantoms = []
  }

  /// Whether a context knows that a row is deleted; A and B are not notified.
  private func isGone(_ code: Int, for name: Name) -> Bool { name == .c && store[code] == nil }

  mutating func reset(_ name: Name) {
    forgetSteps(name)
    self[name] = Side()
    if name == .d, case .at = pin { pin = .next }
  }

  /// Whether a context's source has a row for a book.
  func hasRow(_ code: Int, for name: Name) -> Bool {
    guard name == .b else { return store[code] != nil }
    var copy = self
    return copy.view(.a)[code] != nil
  }

  mutating func refresh(_ code: Int, merges: Bool, in name: Name) {
    guard merges else {
      // Reread at its next use.
      self[name].base[code] = nil
      self[name].edits[code] = nil
      return
    }
    self[name].base[code] = name == .b ? view(.a)[code].map { Record(fields: $0) } : store[code]
  }

  /// Clean objects become faults; changed objects take the newest row and keep their changes.
  mutating func refreshAll(_ name: Name) {
    let side = self[name]
    for code in side.base.keys where !side.deleted.contains(code) {
      if side.edits[code] == nil {
        self[name].base[code] = nil
      } else if hasRow(code, for: name) {
        refresh(code, merges: true, in: name)
      }
    }
  }

  // MARK: Saving

  /// The effect of a save or a batch request on the store.
  struct Changes {
    var changed: Set<Int> = []
    var removed: Set<Int> = []
    /// Edits equal to the stored values: nothing was written, but the notification includes them.
    var named: Set<Int> = []
    /// Deletions by other contexts that this context merged: the notification includes them as
    /// well.
    var lost: Set<Int> = []
  }

  /// Saves A or C, whose policy prefers its own values, property by property.
  ///
  /// - Parameter stores: The stores to write; the books in other stores do not change.
  @discardableResult
  mutating func save(_ name: Name, stores: Range<Int> = 0..<2) -> Changes {
    func isWritten(_ code: Int) -> Bool { stores.contains(code % 2) }
    var side = self[name]
    var changed: Set<Int> = []
    for (code, record) in side.inserted where isWritten(code) {
      store[code] = Record(fields: record.fields, version: 1)
      saved.insert(code)
      side.known.insert(code)
      side.base[code] = store[code]
      changed.insert(code)
    }
    for (code, edits) in side.edits where isWritten(code) {
      guard let known = side.base[code], Self.differs(known, edits) else { continue }
      guard let stored = store[code] else {
        side.base[code] = nil
        continue
      }
      var record = stored
      if Self.differs(stored, edits) {
        record = Self.apply(edits, to: stored)
        record.version += 1
        store[code] = record
        changed.insert(code)
      }
      side.base[code] = record
    }
    let deleted = side.deleted.filter(isWritten)
    let removed = deleted.filter { store[$0] != nil && !side.lost.contains($0) }
    for code in deleted {
      if removed.contains(code) { store[code] = nil }
      side.base[code] = nil
      side.known.remove(code)
    }
    let lost = side.lost.filter(isWritten)
    side.lost.subtract(lost)
    side.taken = side.taken.filter { !isWritten($0) }
    side.phantoms = side.phantoms.filter { !isWritten($0) }
    let edited = Set(side.edits.keys.filter(isWritten))
    side.inserted = side.inserted.filter { !isWritten($0.key) }
    side.edits = side.edits.filter { !isWritten($0.key) }
    side.deleted.subtract(deleted)
    self[name] = side
    let changes = Changes(
      changed: changed, removed: removed, named: edited.subtracting(changed),
      lost: lost)
    if name == .a { merge(changes, into: .c) }
    return changes
  }

  /// Changes the rows that have a value.
  ///
  /// - Parameter stores: The stores that carry it out.
  mutating func updateRows(from old: Int, to new: Int, stores: Range<Int>) -> Set<Int> {
    let codes = store.keys.filter { stores.contains($0 % 2) && store[$0]?.fields[0] == old }
    for code in codes {
      store[code]?.fields[0] = new
      store[code]?.version += 1
    }
    return Set(codes)
  }

  /// Deletes the rows that have two values.
  ///
  /// - Parameter stores: The stores that carry it out.
  mutating func deleteRows(_ pages: Int, _ title: Int, stores: Range<Int>) -> Set<Int> {
    let codes = store.keys.filter {
      stores.contains($0 % 2) && store[$0]?.fields.starts(with: [pages, title]) == true
    }
    for code in codes { store[code] = nil }
    return Set(codes)
  }

  private static func differs(_ record: Record, _ edits: [Int: Int]) -> Bool {
    edits.contains { record.fields[$0.key] != $0.value }
  }

  /// Merges the changes of the store.
  mutating func merge(_ changes: Changes, into name: Name) {
    // A pending deletion also takes newer values, for the case that it is undone.
    for code in changes.changed where store[code] != nil {
      self[name].lost.remove(code)
      if self[name].taken.remove(code) != nil {
        self[name].deleted.remove(code)
        self[name].edits[code] = self[name].parked.removeValue(forKey: code)
      }
      // Faults also take a row that was just written; other rows are read when they are used.
      let isAtHand = self[name].known.contains(code) && !changes.named.contains(code)
      if name == .c || isAtHand || self[name].base[code] != nil {
        self[name].base[code] = store[code]
      }
      self[name].known.insert(code)
    }
    for code in changes.removed where self[name].known.contains(code) {
      if !self[name].deleted.contains(code) {
        delete(code, in: name)
        self[name].taken.insert(code)
      }
      self[name].lost.insert(code)
    }
  }

  /// Whether B has new values for books that A deleted or no longer has; B then cannot be saved.
  var hasLostChanges: Bool {
    let a = self[.a]
    return self[.b].edits.contains { code, edits in
      // A book without an author needs no book in A.
      edits.contains { $0.key != 2 || $0.value != 0 } && a.inserted[code] == nil
        && (a.deleted.contains(code) || (a.base[code] ?? store[code]) == nil)
    }
  }

  /// Reads the books that B changed or deleted in A, before a save of B that fails, and forgets the
  /// books that have no row.
  mutating func failToSaveChild() {
    for code in self[.b].deleted.union(self[.b].edits.keys)
    where self[.a].inserted[code] == nil && !self[.a].deleted.contains(code) {
      self[.a].base[code] = self[.a].base[code] ?? store[code]
      if self[.a].base[code] == nil {
        self[.a].known.remove(code)
      } else {
        self[.a].known.insert(code)
      }
    }
  }

  /// Saves B into A.
  mutating func saveChild() {
    let child = self[.b]
    step(.a, Set(child.inserted.keys).union(child.edits.keys).union(child.deleted)) {
      $0.takeChanges(of: child)
    }
  }

  private mutating func takeChanges(of side: Side) {
    var child = side
    for (code, record) in child.inserted {
      self[.a].inserted[code] = record
      child.base[code] = record
    }
    for (code, edits) in child.edits {
      if let known = child.base[code] { child.base[code] = Self.apply(edits, to: known) }
      takeEdits(code, edits)
    }
    for code in child.deleted {
      child.base[code] = nil
      takeDeletion(code)
    }
    child.inserted = [:]
    child.edits = [:]
    child.deleted = []
    self[.b] = child
  }

  private mutating func takeEdits(_ code: Int, _ edits: [Int: Int]) {
    guard !self[.a].deleted.contains(code) else { return }
    if self[.a].inserted[code] != nil {
      for (field, value) in edits { self[.a].inserted[code]?.fields[field] = value }
      return
    }
    guard let known = self[.a].base[code] ?? store[code] else {
      return findMissing(code, in: .a)
    }
    self[.a].base[code] = known
    var edits = edits
    // Setting a destination that is there already changes nothing.
    if Self.apply(self[.a].edits[code], to: known).fields[2] == edits[2] { edits[2] = nil }
    self[.a].edits[code, default: [:]].merge(edits) { $1 }
  }

  private mutating func takeDeletion(_ code: Int) {
    if self[.a].inserted.removeValue(forKey: code) != nil { return }
    guard let known = self[.a].base[code] ?? store[code] else {
      return findMissing(code, in: .a)
    }
    self[.a].base[code] = known
    delete(code, in: .a)
  }

  /// Reads a book for a change and finds no row: the book counts as deleted until the next save, even if another
  /// context inserts it again.
  ///
  /// A book that was never saved does not exist.
  mutating func findMissing(_ code: Int, in name: Name) {
    guard saved.contains(code), self[name].deleted.insert(code).inserted else { return }
    if self[name].known.insert(code).inserted { self[name].phantoms.insert(code) }
    self[name].taken.insert(code)
    self[name].lost.insert(code)
  }
}
