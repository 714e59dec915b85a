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

  @OptionGroup var steps: StepOptions

  func run() async throws {
    if list { return try await steps.show { $0.undo } }
    try await steps.take("Undone") { try await $0.undoRecorded() }
  }
}

/// Repeats the last action that was undone.
struct Redo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Repeat the last action that was undone.",
    discussion: "After another action, no earlier action can be repeated.")

  @Flag(help: "List the actions that can be repeated, and repeat none of them.")
  var list = false

  @OptionGroup var steps: StepOptions

  func run() async throws {
    if list { return try await steps.show { $0.redo } }
    try await steps.take("Redone") { try await $0.redoRecorded() }
  }
}

/// The options of the commands that undo and repeat recorded actions.
struct StepOptions: ParsableArguments {
  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  /// Prints the recorded actions that a closure selects.
  func show(
    _ selected: (LibraryDesk.RecordedSteps) -> [LibraryDesk.RecordedStep]
  ) async throws {
    let desk = try store.openDesk()
    let steps = selected(try await Terminal.reporting { try await desk.recordedSteps() })
    if json { return try Output.printJSON(steps) }
    for step in steps { print(Terminal.line("\(step.date.formatted(.iso8601))  \(step.name)")) }
  }

  private struct Taken: Encodable {
    let name: String
  }

  /// Undoes or repeats an action, and prints its name.
  ///
  /// - Parameters:
  ///   - verb: The word before the name.
  ///   - work: A closure that undoes or repeats the action, and returns its name.
  func take(_ verb: String, _ work: (LibraryDesk) async throws -> String) async throws {
    let desk = try store.openDesk()
    let name = try await Terminal.reporting { try await work(desk) }
    if json { return try Output.printJSON(Taken(name: name)) }
    print(Terminal.line("\(verb): \(name)"))
  }
}
