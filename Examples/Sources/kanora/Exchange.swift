import ArgumentParser
import CommandParts
import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import WebPages

/// The format of a file to write or read.
enum ExchangeFormat: String, ExpressibleByArgument, CaseIterable {
  case json, csv, m3u8

  /// Returns the format indicated by a file's extension, or nil if the extension is unknown.
  init?(ofFile path: String) {
    let name = URL(filePath: path).pathExtension.lowercased()
    self.init(rawValue: name == "m3u" ? "m3u8" : name)
  }
}

/// Exports the library or parts of it.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Export the library as JSON, tracks as CSV, or a playlist as M3U8.",
    discussion: """
      JSON contains the whole library. CSV contains the tracks that match a query, or all tracks; \
      the fields can be edited in another program and imported again. M3U8 contains the playlist \
      given by --playlist.
      """)

  @OptionGroup var words: QueryWords

  @Option(
    help: "The format. By default, that of the file extension, or json (m3u8 with --playlist).")
  var format: ExchangeFormat?

  @Option(help: "The name or id of the playlist to export.")
  var playlist: PlaylistName?

  @Option(
    help: "The file to write. By default, the output is printed.", completion: .file(),
    transform: Input.path)
  var output: String?

  @OptionGroup var store: StoreOptions

  private var form: ExchangeFormat {
    format ?? output.flatMap { ExchangeFormat(ofFile: $0) } ?? (playlist == nil ? .json : .m3u8)
  }

  func validate() throws {
    if (form == .m3u8) != (playlist != nil) {
      throw ValidationError(
        "The format m3u8 requires --playlist, and --playlist requires the format m3u8.")
    }
    if form != .csv, !words.words.isEmpty {
      throw ValidationError("A query can be used only with the format csv.")
    }
  }

  func run() throws {
    let store = try store.openExisting()
    try Terminal.reporting {
      let data = try data(of: store)
      try Output.write(data, to: output)
    }
  }

  private func data(of store: KanoraStore) throws -> Data {
    switch form {
    case .json: return try store.performBatchOperation { try LibraryDocument(in: $0).data() }
    case .csv:
      let filter = TrackFilter(query: words.words.isEmpty ? nil : try words.query())
      return try store.performBatchOperation {
        Data(try TrackTable.table(filter, in: $0).text.utf8)
      }
    case .m3u8:
      guard let playlist else { return Data() }
      let id = try playlist.find(in: store).id
      return try store.performBatchOperation {
        Data(try PlaylistFile(playlist: id, in: $0).text.utf8)
      }
    }
  }
}

/// Imports a file written by `export` or another program.
struct Import: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Import a library from JSON, track fields from CSV, or a playlist from M3U8.",
    discussion: """
      Imports the whole file or nothing. Objects in a JSON file are added to the library; existing \
      objects with the same ids get the values in the file. CSV and M3U8 files identify tracks by \
      the paths of their audio files.
      """)

  @Argument(help: "The file.", completion: .file(), transform: Input.path)
  var input: String

  @Option(help: "The format. By default, it depends on the file extension.")
  var format: ExchangeFormat?

  @Option(
    help: "The name of the playlist. By default, the name in the file, or the name of the file.")
  var name: String?

  @Flag(help: "Skip tracks that are not in the library, instead of rejecting the file.")
  var skipUnknown = false

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  private func form() throws -> ExchangeFormat {
    guard let form = format ?? ExchangeFormat(ofFile: input) else {
      throw ValidationError("The file extension does not indicate a known format. Use --format.")
    }
    return form
  }

  func validate() throws {
    let form = try form()
    if name != nil, form != .m3u8 {
      throw ValidationError("--name can be used only with the format m3u8.")
    }
    if skipUnknown, form == .json {
      throw ValidationError("--skip-unknown can be used only with the formats csv and m3u8.")
    }
  }

  private struct Report: Encodable {
    var changed: Int
    var unknown: [String] = []
    var playlistID: UUID?
  }

  func run() async throws {
    let form = try form()
    // A file that cannot be read must not create a library.
    let data = try Terminal.reporting { try Input.read(input) }
    let store = form == .json ? try store.openOrMake() : try store.openExisting()
    let report = try await Terminal.reporting {
      try await Self.report(form, data, at: StoreOptions.desk(of: store), as: self)
    }
    if json { return try Output.printJSON(report) }
    for path in report.unknown { print(Terminal.line("Skipped: \(path)")) }
    switch form {
    case .json: print("\(Wording.count(report.changed, "object")) created or changed.")
    case .csv: print("Changed \(TrackPrinter.count(report.changed)).")
    case .m3u8:
      let id = report.playlistID?.uuidString ?? ""
      print("\(id)  a playlist with \(TrackPrinter.count(report.changed))")
    }
  }

  private static func report(
    _ form: ExchangeFormat, _ data: Data, at desk: LibraryDesk, as command: Import
  ) async throws -> Report {
    let unknown: UnknownTracks = command.skipUnknown ? .leftOut : .refused
    switch form {
    case .json: return Report(changed: try await desk.importDocument(data))
    case .csv:
      let table = try CSVTable(try text(data))
      let result = try await desk.importTable(table, unknown: unknown)
      return Report(changed: result.changed, unknown: result.unknown)
    case .m3u8:
      let url = URL(filePath: command.input)
      let file = PlaylistFile(text: try text(data), in: url.deletingLastPathComponent())
      let fallback = url.deletingPathExtension().lastPathComponent
      let name = command.name ?? file.name ?? fallback
      let result = try await desk.importPlaylist(file, named: name, unknown: unknown)
      return Report(
        changed: file.entries.count - result.unknown.count, unknown: result.unknown,
        playlistID: result.id)
    }
  }

  private static func text(_ data: Data) throws -> String {
    guard let text = String(data: data, encoding: .utf8) else {
      throw CommandFailure("The file is not UTF-8 text.")
    }
    return text
  }
}
