import ArgumentParser
import CommandParts
import Foundation
import KanoraCore

/// Undoes the last action.
struct Undo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Undo the last action.",
    discussion: """
      Undoes the last action of a command, of the pages, or of 'kanora browse': an edit, a change of \
      playlists, an import or a repair. Another 'undo' undoes the action before it. Scans and plays \
      cannot be undone. If a value that the action wrote has changed since, nothing is undone.
      """)

  @Flag(help: "List the actions that can be undone, latest first, and undo none of them.")
  var list = false

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    let desk = LibraryDesk(try store.openExisting())
    if list { return try await StepPrinter.show(desk, json: json) { $0.undo } }
    let name = try await Terminal.reporting { try await desk.undoRecorded() }
    try StepPrinter.show(name, as: "Undone", json: json)
  }
}

/// Repeats the last action that was undone.
struct Redo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Repeat the last action that was undone.",
    discussion: "After another action, no earlier action can be repeated.")

  @Flag(help: "List the actions that can be repeated, and repeat none of them.")
  var list = false

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    let desk = LibraryDesk(try store.openExisting())
    if list { return try await StepPrinter.show(desk, json: json) { $0.redo } }
    let name = try await Terminal.reporting { try await desk.redoRecorded() }
    try StepPrinter.show(name, as: "Redone", json: json)
  }
}

/// Prints actions as text or JSON.
private enum StepPrinter {
  /// Prints the recorded actions that a closure selects.
  static func show(
    _ desk: LibraryDesk, json: Bool,
    _ selected: (LibraryDesk.RecordedSteps) -> [LibraryDesk.RecordedStep]
  ) async throws {
    let steps = selected(try await Terminal.reporting { try await desk.recordedSteps() })
    if json { return try Output.printJSON(steps) }
    for step in steps { print(Terminal.line("\(step.date.formatted(.iso8601))  \(step.name)")) }
  }

  private struct Taken: Encodable {
    let name: String
  }

  /// Prints the action that was undone or repeated.
  static func show(_ name: String, as verb: String, json: Bool) throws {
    if json { return try Output.printJSON(Taken(name: name)) }
    print(Terminal.line("\(verb): \(name)"))
  }
}
