import ArgumentParser
import CommandParts
import Foundation
import KanoraCore
import WebPages

/// Writes edited fields into the audio files.
struct WriteTags: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "write-tags", abstract: "Write edited fields into the tags of the audio files.",
    discussion: """
      Shows what would change. To change the files, use --apply. Only fields that were edited in \
      the library are written; the audio, the pictures and all other fields stay the same. The \
      replaced values are stored beside the library: 'kanora restore-tags' restores them.

      For example: kanora write-tags edited artist:beatles --apply
      """)

  @OptionGroup var choice: TrackChoice

  @Flag(help: "Change the files.")
  var apply = false

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws { try choice.requireOne() }

  func run() async throws {
    let store = try store.openExisting()
    let report = try await Terminal.reporting {
      let ids = try choice.trackIDs(in: store)
      let writing = TagWriting(store)
      return apply ? try await writing.write(ids) : try await writing.preview(ids)
    }
    try TagPrinter.show(report, json: json) {
      apply ? "Changed \($0)." : "Would change \($0). To change the files, use --apply."
    }
  }
}

/// Restores the tags that the last use of `write-tags` replaced.
struct RestoreTags: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore-tags",
    abstract: "Restore the tags that the last 'write-tags' replaced.",
    discussion: """
      Another 'restore-tags' restores the tags that the 'write-tags' before it replaced. The \
      library keeps the edited fields.
      """)

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    let store = try store.openExisting()
    let report = try await Terminal.reporting { try await TagWriting(store).restore() }
    try TagPrinter.show(report, json: json) { "Restored \($0)." }
  }
}

/// Prints changes of tags as text or JSON.
private enum TagPrinter {
  /// Prints a report, and ends the command with status 1 if a file could not be changed.
  ///
  /// - Parameter summary: Receives the number of files as text, and returns the last line.
  static func show(_ report: TagReport, json: Bool, _ summary: (String) -> String) throws {
    if json {
      try Output.printJSON(report)
    } else {
      for file in report.files {
        print(Terminal.line(file.path))
        for change in file.changes { print(line(change)) }
      }
      print(summary(Wording.count(report.files.count, "file")))
    }
    for failure in report.failures { Terminal.complain("\(failure.path): \(failure.reason)") }
    if !report.failures.isEmpty { throw ExitCode.failure }
  }

  private static func line(_ change: TagChange) -> String {
    let texts = [change.old, change.new].map { $0.joined(separator: "; ") }
    return Terminal.printable("  \(change.name): “\(texts[0])” → “\(texts[1])”")
  }
}
