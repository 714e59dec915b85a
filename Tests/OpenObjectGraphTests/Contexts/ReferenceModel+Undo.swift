// Undo compares the state of objects before and after: a step contains absolute values, regardless
// of later changes.

extension ReferenceModel {
  /// The contexts with an undo manager.
  static let undoing: [Name] = [.a, .c]

  /// The effect of one step on a book; nil for a book that did not exist.
  struct Change: Equatable {
    var before: [Int]?
    var after: [Int]?
  }

  typealias Step = [Int: Change]

  /// The steps of a context.
  struct Steps {
    var done: [Step] = []
    var undone: [Step] = []
  }

  func done(_ name: Name) -> [Step] { history[name]?.done ?? [] }

  func undone(_ name: Name) -> [Step] { history[name]?.undone ?? [] }

  mutating func forgetSteps(_ name: Name) {
    if history[name] != nil { history[name] = Steps() }
  }

  /// Makes a change and records its effect on the books that it may affect.
  mutating func step(_ name: Name, _ codes: Set<Int>, _ body: (inout ReferenceModel) -> Void) {
    guard history[name] != nil else { return body(&self) }
    let before = codes.map { ($0, state($0, name)) }
    body(&self)
    var step: Step = [:]
    for (code, fields) in before {
      let change = Change(before: fields, after: state(code, name))
      if change.before != change.after { step[code] = change }
    }
    if step.isEmpty { return }
    history[name]?.done.append(step)
    history[name]?.undone = []
  }

  /// The values of a book in a context; nil if the context does not have the book.
  private func state(_ code: Int, _ name: Name) -> [Int]? {
    let side = self[name]
    if side.deleted.contains(code) { return nil }
    if let record = side.inserted[code] { return record.fields }
    return (side.base[code] ?? store[code]).map { Self.apply(side.edits[code], to: $0).fields }
  }

  mutating func undo(_ name: Name) {
    guard let step = history[name]?.done.popLast() else { return }
    history[name]?.undone.append(step)
    for (code, change) in step { turn(code, from: change.after, to: change.before, in: name) }
  }

  mutating func redo(_ name: Name) {
    guard let step = history[name]?.undone.popLast() else { return }
    history[name]?.done.append(step)
    for (code, change) in step { turn(code, from: change.before, to: change.after, in: name) }
  }

  private mutating func turn(_ code: Int, from old: [Int]?, to new: [Int]?, in name: Name) {
    switch (old, new) {
    case (nil, let fields?): bringBack(code, fields, name)
    case (_?, nil): if isPresent(code, name) { delete(code, in: name) }
    case (let old?, let new?):
      if isPresent(code, name) { return restore(code, old, new, name) }
      if self[name].known.contains(code) { findMissing(code, in: name) }
    case (nil, nil): break
    }
  }

  private func isPresent(_ code: Int, _ name: Name) -> Bool { state(code, name) != nil }

  private mutating func bringBack(_ code: Int, _ fields: [Int], _ name: Name) {
    if self[name].phantoms.remove(code) != nil {
      for set in [\Side.deleted, \Side.lost, \Side.taken] { self[name][keyPath: set].remove(code) }
      self[name].inserted[code] = Record(fields: fields)
      return
    }
    // Objects that another context deleted since stay deleted.
    if isPresent(code, name) || self[name].lost.contains(code) { return }
    if self[name].deleted.remove(code) == nil {
      self[name].inserted[code] = Record(fields: fields)
    } else {
      // The values merged since are beneath the unsaved values.
      self[name].edits[code] = self[name].parked.removeValue(forKey: code)
    }
  }

  private mutating func restore(_ code: Int, _ old: [Int], _ new: [Int], _ name: Name) {
    self[name].base[code] = self[name].base[code] ?? store[code]
    for field in new.indices where new[field] != old[field] {
      if self[name].inserted[code] != nil {
        self[name].inserted[code]?.fields[field] = new[field]
        continue
      }
      if self[name].base[code]?.fields[field] == new[field] {
        self[name].edits[code]?[field] = nil
      } else {
        self[name].edits[code, default: [:]][field] = new[field]
      }
    }
    if self[name].edits[code]?.isEmpty == true { self[name].edits[code] = nil }
  }
}
