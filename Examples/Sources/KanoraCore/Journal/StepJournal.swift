import Foundation

/// The recorded steps of a library, as lines of JSON in a file beside the store.
///
/// The file can also contain steps of an earlier store that was deleted. These steps are ignored.
///
/// A step is recorded before it is saved. A program that is killed in between leaves a step that did not happen; see `StepTaking`.
///
/// A value. The caller holds the store's editing lock.
struct StepJournal: Sendable {
  /// A recorded step.
  struct Step {
    let id: UUID
    /// The name of the action.
    let name: String
    let date: Date
    let kind: StepRecord.Kind
    /// The changes; nil if they are too large to be recorded.
    let changes: [StepChanges.Change]?
  }

  /// The steps that can be undone or redone, each oldest first.
  struct Steps {
    fileprivate(set) var done: [Step] = []
    fileprivate(set) var undone: [Step] = []

    /// Removes the last step that can be taken, and returns it.
    mutating func popLast(_ direction: StepDirection) -> Step? {
      direction == .undo ? done.popLast() : undone.popLast()
    }
  }

  /// The size in bytes from which the older half of the steps is dropped.
  private static let greatestSize = 16_000_000

  private let file: LineFile
  private let storeID: String

  /// - Parameters:
  ///   - store: The store's file.
  ///   - id: The store's identifier.
  init(ofStoreAt store: URL, identifier id: String) {
    file = LineFile(besideStoreAt: store, suffix: "steps", "The record of the steps")
    storeID = id
  }

  // MARK: Writing

  /// Records a step, which replaces an earlier record of the same step. A step without changes is not recorded.
  ///
  /// - Parameters:
  ///   - record: The record of the step in the undo manager.
  ///   - name: The name of the action.
  ///   - changes: The changes of the step so far.
  ///   - instant: The time.
  /// - Returns: `false` if the step is recorded without its changes, because they are too large.
  /// - Throws: `KanoraError` with code `.notOpened`.
  func record(
    _ record: StepRecord, as name: String, _ changes: StepChanges, at instant: Date
  ) throws -> Bool {
    if changes.isEmpty { return true }
    try shorten()
    let step = Step(
      id: record.id, name: name, date: instant, kind: record.kind,
      changes: changes.isTooLarge ? nil : changes.all)
    let recorded = line(of: step)
    try file.append(recorded.line)
    return recorded.isComplete
  }

  /// Notes that a step was undone or redone.
  ///
  /// If the note cannot be written, for example because the disk is full, the values of the library still show that the step was taken.
  func noteIfPossible(_ direction: StepDirection, _ id: UUID) {
    guard file.exists else { return }
    _ = try? file.append(Self.line(of: [direction.rawValue: id.uuidString]))
  }

  /// Drops the older half of a journal that has become too large.
  private func shorten() throws {
    // A journal that does not exist has no size.
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    guard let size = (attributes?[.size] as? NSNumber)?.intValue, size > Self.greatestSize else {
      return
    }
    let done = try steps().done
    try file.replace(with: done.suffix(done.count / 2).map { line(of: $0).line })
  }

  /// Returns the line of a step, and whether it contains the changes.
  private func line(of step: Step) -> (line: Data, isComplete: Bool) {
    var object: [String: Any] = [
      "step": step.id.uuidString, "name": step.name, "kind": step.kind.rawValue,
      "date": step.date.timeIntervalSinceReferenceDate, "store": storeID,
    ]
    object["changes"] = step.changes?.map { change -> [String: Any] in
      var object: [String: Any] = ["entity": change.entity]
      object["before"] = change.before
      object["after"] = change.after
      return object
    }
    // Values such as infinity cannot be written as JSON. A step with such a value is recorded like one that is too large.
    if JSONSerialization.isValidJSONObject(object) {
      let line = Self.line(of: object)
      if line.count < Self.greatestSize / 2 { return (line, step.changes != nil) }
    }
    object["changes"] = nil
    return (Self.line(of: object), false)
  }

  private static func line(of object: [String: Any]) -> Data {
    // The object is valid, so this does not fail; an empty line is ignored.
    (try? JSONSerialization.data(withJSONObject: object)) ?? Data()
  }

  // MARK: Reading

  /// Returns the recorded steps.
  ///
  /// - Throws: `KanoraError` with code `.notOpened`.
  func steps() throws -> Steps {
    var steps = Steps()
    guard let data = try file.content() else { return steps }
    let lines: [Data.SubSequence] = data.split(separator: UInt8(ascii: "\n"))
    var known: [UUID: Step] = [:]
    for line in lines {
      // A killed program can leave an incomplete line.
      guard let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
      else { continue }
      if let step = self.step(object) {
        steps.done.removeAll { $0.id == step.id }
        steps.done.append(step)
        steps.undone = []
        known[step.id] = step
      } else if let step = Self.id(object, "undo").flatMap({ known[$0] }) {
        steps.done.removeAll { $0.id == step.id }
        steps.undone.append(step)
      } else if let step = Self.id(object, "redo").flatMap({ known[$0] }) {
        steps.undone.removeAll { $0.id == step.id }
        steps.done.append(step)
      }
    }
    return steps
  }

  private static func id(_ object: [String: Any], _ key: String) -> UUID? {
    (object[key] as? String).flatMap { UUID(uuidString: $0) }
  }

  /// Returns the step of a line; nil for any other line, and for a step of another store.
  private func step(_ object: [String: Any]) -> Step? {
    guard object["store"] as? String == storeID, let id = Self.id(object, "step"),
      let name = object["name"] as? String,
      let date = object["date"] as? NSNumber,
      let kind = (object["kind"] as? String).flatMap({ StepRecord.Kind(rawValue: $0) })
    else { return nil }
    let changes = (object["changes"] as? [[String: Any]])?.map { change in
      StepChanges.Change(
        entity: change["entity"] as? String ?? "", before: change["before"] as? [String: Any],
        after: change["after"] as? [String: Any])
    }
    return Step(
      id: id, name: name, date: Date(timeIntervalSinceReferenceDate: date.doubleValue), kind: kind,
      changes: changes)
  }
}

/// A direction through the recorded steps.
enum StepDirection: String, Sendable {
  case undo, redo
}
