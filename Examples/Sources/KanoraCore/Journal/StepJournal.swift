import Foundation

/// The recorded steps of a library, as lines of JSON in a file beside the store.
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

  private let url: URL

  /// - Parameter store: The store's file.
  init(ofStoreAt store: URL) { url = URL(fileURLWithPath: "\(store.path).steps") }

  // MARK: Writing

  /// Records a step, which replaces an earlier record of the same step. A step without changes is not recorded.
  ///
  /// - Parameters:
  ///   - record: The record of the step in the undo manager.
  ///   - name: The name of the action.
  ///   - changes: The changes of the step so far.
  ///   - instant: The time.
  /// - Throws: `KanoraError` with code `.notOpened`.
  func record(
    _ record: StepRecord, as name: String, _ changes: StepChanges, at instant: Date
  ) throws {
    if changes.isEmpty { return }
    try shorten()
    try append(
      Self.line(
        of: Step(
          id: record.id, name: name, date: instant, kind: record.kind,
          changes: changes.isTooLarge ? nil : changes.all)))
  }

  /// Notes that a step was undone or redone.
  ///
  /// If the note cannot be written, for example because the disk is full, the values of the library still show that the step was taken.
  func noteIfPossible(_ direction: StepDirection, _ id: UUID) {
    guard FileManager.default.fileExists(atPath: url.path) else { return }
    try? append(Self.line(of: [direction.rawValue: id.uuidString]))
  }

  private func append(_ line: Data) throws {
    let descriptor = open(url.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("created", String(cString: strerror(errno))) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      // The line break before the line ends a line that a killed program left incomplete.
      try handle.write(contentsOf: Data("\n".utf8) + line + Data("\n".utf8))
    } catch {
      throw failure("written", error.localizedDescription)
    }
  }

  /// Drops the older half of a journal that has become too large.
  private func shorten() throws {
    // A journal that does not exist has no size.
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    guard let size = (attributes?[.size] as? NSNumber)?.intValue, size > Self.greatestSize else {
      return
    }
    let done = try steps().done
    let lines = done.suffix(done.count / 2).map { Self.line(of: $0) }
    do {
      try Data(lines.map { $0 + Data("\n".utf8) }.joined()).write(to: url, options: .atomic)
    } catch {
      throw failure("written", error.localizedDescription)
    }
  }

  private static func line(of step: Step) -> Data {
    var object: [String: Any] = [
      "step": step.id.uuidString, "name": step.name, "kind": step.kind.rawValue,
      "date": step.date.timeIntervalSinceReferenceDate,
    ]
    object["changes"] = step.changes?.map { change -> [String: Any] in
      var object: [String: Any] = ["entity": change.entity]
      object["before"] = change.before
      object["after"] = change.after
      return object
    }
    // Values such as infinity cannot be written as JSON. A step with such a value is recorded like one that is too large.
    if JSONSerialization.isValidJSONObject(object) {
      let line = line(of: object)
      if line.count < greatestSize / 2 { return line }
    }
    object["changes"] = nil
    return line(of: object)
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
    guard FileManager.default.fileExists(atPath: url.path) else { return steps }
    let lines: [Data.SubSequence]
    do { lines = try Data(contentsOf: url).split(separator: UInt8(ascii: "\n")) } catch {
      throw failure("read", error.localizedDescription)
    }
    var known: [UUID: Step] = [:]
    for line in lines {
      // A killed program can leave an incomplete line.
      guard let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
      else { continue }
      if let step = Self.step(object) {
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

  private static func step(_ object: [String: Any]) -> Step? {
    guard let id = id(object, "step"), let name = object["name"] as? String,
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

  private func failure(_ verb: String, _ reason: String) -> KanoraError {
    KanoraError(
      .notOpened, "The record of the steps cannot be \(verb): \(reason)", path: url.path)
  }
}

/// A direction through the recorded steps.
enum StepDirection: String, Sendable {
  case undo, redo
}
