import CoreData
public import Foundation
import OpenPersistenceKit

extension LibraryDesk {
  /// A recorded step that can be undone or redone.
  public struct RecordedStep: Sendable, Hashable, Codable {
    /// The name of the action.
    public let name: String
    /// The time of the action.
    public let date: Date
  }

  /// The recorded steps that can be undone and redone, each in the order in which they would be taken.
  public struct RecordedSteps: Sendable, Hashable, Codable {
    /// The steps that can be undone, latest first.
    public let undo: [RecordedStep]
    /// The steps that can be redone, the one that was undone last first.
    public let redo: [RecordedStep]
  }

  /// Returns the recorded steps of all programs.
  ///
  /// - Throws: `KanoraError` with code `.notOpened` if the record cannot be read.
  public func recordedSteps() async throws -> RecordedSteps {
    func list(_ steps: [StepJournal.Step]) -> [RecordedStep] {
      steps.reversed().map { RecordedStep(name: $0.name, date: $0.date) }
    }
    return try await inTurn {
      let steps = try journal?.steps() ?? StepJournal.Steps()
      return RecordedSteps(undo: list(steps.done), redo: list(steps.undone))
    }
  }

  /// Undoes the last action that any program has carried out, and saves.
  ///
  /// The record of the actions is a file beside the library. It remains when a program ends.
  ///
  /// - Returns: The action's name.
  /// - Throws: `KanoraError` with code `.nothingToUndo` if no action is recorded, or if the last one has changed too many objects;
  ///   `.changedElsewhere` if values that the action wrote have changed since; any error the save throws. The action is then not undone.
  @discardableResult
  public func undoRecorded() async throws -> String { try await takeRecorded(.undo) }

  /// Repeats the action that was undone last, by any program, and saves.
  ///
  /// - Returns: The action's name.
  /// - Throws: The same errors as ``undoRecorded()``.
  @discardableResult
  public func redoRecorded() async throws -> String { try await takeRecorded(.redo) }

  private func takeRecorded(_ direction: StepDirection) async throws -> String {
    let desk = self
    return try await inTurn {
      try await desk.store.viewContext.perform { try desk.takeLast(direction) }
    }
  }

  /// Takes the last recorded step. Call on the main queue, in the turn of the desk.
  private func takeLast(_ direction: StepDirection) throws -> String {
    var steps = try journal?.steps() ?? StepJournal.Steps()
    while let step = steps.popLast(direction) {
      let child = store.newChildContext()
      let taking = try StepTaking(step, direction, in: child)
      switch try taking.standing() {
      case .ready:
        try taking.take()
        try save(child)
        journal?.noteIfPossible(direction, step.id)
        return step.name
      case .taken:
        // A program was killed, or could not write, between the save and the note of the step.
        journal?.noteIfPossible(direction, step.id)
      case .changed: throw StepRecord.changedElsewhere(step.name)
      }
    }
    throw KanoraError(.nothingToUndo, "There is nothing to \(direction.rawValue).")
  }

  /// Saves a child of the main context without an undo step.
  private func save(_ child: NSManagedObjectContext) throws {
    let context = store.viewContext
    context.processPendingChanges()
    context.undoManager?.disableUndoRegistration()
    defer { context.undoManager?.enableUndoRegistration() }
    try child.save()
    context.processPendingChanges()
    do { try context.save() } catch {
      context.rollback()
      throw error
    }
  }
}
