import ArgumentParser
import CommandParts
import Foundation
import KanoraCore

/// A field and its new value: `genre=Rock`.
struct FieldValue: ExpressibleByArgument {
  let change: TrackChange

  init?(argument: String) {
    // A combining mark at the beginning of the value is not part of the separator.
    let parts = argument.unicodeScalars.split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let field = TrackField(rawValue: String(parts[0])) else { return nil }
    change = .set(field, String(parts[1]))
  }
}

/// A field with a text to find and its replacement: `title/live/Live`, with any non-letter in place of the slashes.
struct FieldReplacement: ExpressibleByArgument {
  let change: TrackChange

  init?(argument: String) {
    let scalars = argument.unicodeScalars
    guard let mark = scalars.first(where: { !$0.properties.isAlphabetic }) else { return nil }
    let parts = scalars.split(separator: mark, omittingEmptySubsequences: false)
      .map { String($0) }
    guard parts.count == 3, let field = TrackField(rawValue: parts[0]), !parts[1].isEmpty else {
      return nil
    }
    change = .replace(field, find: parts[1], with: parts[2])
  }
}

/// Edits fields of tracks.
struct Edit: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Edit fields of tracks.",
    discussion: """
      Shows what would change. To save the changes, use --apply. The audio files are not changed; \
      use 'kanora write-tags' to change them. The options take effect in this order: --set, \
      --clear, --replace, --number-from.

      Fields: \(TrackField.allCases.map(\.rawValue).joined(separator: ", ")).

      For example: kanora edit artist:beatles --set genre=Rock --replace title/Live/live --apply
      """)

  @OptionGroup var choice: TrackChoice

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp("Set the value of a field. Can be repeated.", valueName: "field=value"))
  var values: [FieldValue] = []

  @Option(help: ArgumentHelp("Clear the value of a field. Can be repeated.", valueName: "field"))
  var clear: [TrackField] = []

  @Option(
    help: ArgumentHelp(
      """
      Replace text in a field. Can be repeated. The search is case-sensitive. Any other character \
      that is not a letter can be used instead of the slashes.
      """, valueName: "field/old/new"))
  var replace: [FieldReplacement] = []

  @Option(help: "Number the tracks in order, starting at this number.")
  var numberFrom: Int?

  @Flag(help: "Save the changes.")
  var apply = false

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  private var changes: [TrackChange] {
    values.map(\.change) + clear.map { .set($0, "") } + replace.map(\.change)
      + (numberFrom.map { [.number(from: $0)] } ?? [])
  }

  func validate() throws {
    try choice.requireOne()
    if changes.isEmpty {
      throw ValidationError("Specify at least one of --set, --clear, --replace and --number-from.")
    }
  }

  private struct Report: Encodable {
    let isApplied: Bool
    let changes: [TrackDifference]
  }

  func run() async throws {
    let desk = try store.openDesk()
    let differences = try await Terminal.reporting {
      let ids = try choice.trackIDs(in: desk.store)
      return apply ? try await desk.edit(ids, changes) : try await desk.preview(ids, changes)
    }
    if json { return try Output.printJSON(Report(isApplied: apply, changes: differences)) }
    var shown: UUID?
    for difference in differences {
      if difference.trackID != shown { print(Terminal.line(difference.title)) }
      shown = difference.trackID
      let (old, new) = (difference.old, difference.new)
      print(Terminal.printable("  \(difference.field.rawValue): “\(old)” → “\(new)”"))
    }
    let tracks = TrackPrinter.count(Set(differences.map(\.trackID)).count)
    print(
      apply ? "Changed \(tracks)." : "Would change \(tracks). To save the changes, use --apply.")
  }
}
