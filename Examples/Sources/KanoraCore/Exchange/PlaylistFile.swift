public import CoreData
import Foundation
import OpenPersistenceKit

/// A playlist as an M3U8 file: one path per line, with titles and durations in comments.
///
/// A path that would not fit on one line, or that would look like a comment, is written as a `file:` URL.
public struct PlaylistFile: Sendable, Hashable {
  /// One track of the file.
  public struct Entry: Sendable, Hashable {
    /// The path of the track's file.
    public let path: String
    /// The duration in seconds, or nil if it is unknown.
    public let seconds: Int?
    /// The artist and title, or nil if the file does not contain them.
    public let title: String?
  }

  /// The name of the playlist, or nil if the file does not contain it.
  public var name: String?
  /// The tracks, in order.
  public var entries: [Entry]

  /// Creates the file of a playlist in a library.
  ///
  /// - Throws: `KanoraError` with code `.notFound` or `.badRules`; any error the fetch throws.
  public init(
    playlist id: UUID, now: Date = Date(), in context: NSManagedObjectContext
  ) throws {
    name = try LibraryDesk.object(Playlist.self, id, in: context).name
    entries = try LibraryLists.tracks(ofPlaylist: id, now: now, in: context).map { row in
      Entry(
        path: row.filePath, seconds: Int(exactly: row.duration.rounded()),
        title: "\(row.artist) - \(row.title)")
    }
  }

  /// Parses a file.
  ///
  /// - Parameters:
  ///   - text: The file's text.
  ///   - folder: The folder that relative paths are resolved against; nil leaves them unchanged.
  public init(text: String, in folder: URL? = nil) {
    entries = []
    var next: (seconds: Int?, title: String?) = (nil, nil)
    for var line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("\u{FEFF}") { line = line.dropFirst() }
      if line.hasPrefix("#PLAYLIST:") {
        name = Self.unescaped(String(line.dropFirst(10)))
      } else if line.hasPrefix("#EXTINF:") {
        let parts = line.dropFirst(8).split(
          separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        next = (
          parts.first.flatMap { Int($0.prefix { $0 != " " }) },
          parts.count == 2 ? Self.unescaped(String(parts[1])) : nil
        )
      } else if !line.hasPrefix("#"), !line.allSatisfy(\.isWhitespace) {
        entries.append(
          Entry(path: Self.path(String(line), folder), seconds: next.seconds, title: next.title))
        next = (nil, nil)
      }
    }
  }

  /// The file's text.
  public var text: String {
    var lines = ["#EXTM3U"]
    if let name { lines.append("#PLAYLIST:\(Self.escaped(name))") }
    for entry in entries {
      if entry.seconds != nil || entry.title != nil {
        lines.append("#EXTINF:\(entry.seconds ?? -1),\(Self.escaped(entry.title ?? ""))")
      }
      lines.append(Self.line(of: entry.path))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func line(of path: String) -> String {
    let isPlain =
      path.unicodeScalars.allSatisfy { $0.value >= 32 && !CharacterSet.newlines.contains($0) }
      && path.hasPrefix("/")
    return isPlain ? path : URL(fileURLWithPath: path).absoluteString
  }

  private static func path(_ line: String, _ folder: URL?) -> String {
    if line.lowercased().hasPrefix("file:"), let url = URL(string: line), url.isFileURL {
      return url.path
    }
    if line.hasPrefix("/") { return line }
    return folder?.appendingPathComponent(line).standardizedFileURL.path ?? line
  }

  /// Returns a text as one line, with line breaks and percent signs percent-encoded.
  private static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(
      withAllowedCharacters: CharacterSet.newlines.union(.controlCharacters)
        .union(CharacterSet(charactersIn: "%")).inverted) ?? text
  }

  private static func unescaped(_ text: String) -> String { text.removingPercentEncoding ?? text }
}

/// The handling of tracks in an imported file that the library does not contain.
public enum UnknownTracks: Sendable {
  /// Unknown tracks are omitted.
  case leftOut
  /// The file is rejected, and nothing is changed.
  case refused

  /// - Throws: `KanoraError` with code `.notFound` if there are such paths and they are rejected.
  func check(_ paths: [String]) throws {
    guard self == .refused, let first = paths.first else { return }
    let others = paths.count == 1 ? "" : " (and \(paths.count - 1) more in the file)"
    throw KanoraError(.notFound, "The library has no track with the path \(first)\(others).")
  }
}

extension LibraryDesk {
  /// Creates a playlist from the entries of a file whose paths are in the library.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - name: The playlist's name, or nil to use the name in the file.
  ///   - unknown: The handling of entries that the library does not contain.
  /// - Returns: The playlist's id, and the paths that the library does not contain.
  /// - Throws: `KanoraError` with code `.badValue`, or `.notFound` if entries are rejected; any error the save throws.
  public func importPlaylist(
    _ file: PlaylistFile, named name: String? = nil, unknown: UnknownTracks = .leftOut
  ) async throws -> (id: UUID, unknown: [String]) {
    let paths = file.entries.map(\.path)
    let known = try await store.performBackgroundTask { context in
      try Self.ids(ofPaths: paths, in: context)
    }
    let others = paths.filter { known[PathKey($0)] == nil }
    try unknown.check(others)
    let id = try await makePlaylist(
      name ?? file.name ?? "Playlist", tracks: paths.compactMap { known[PathKey($0)] })
    return (id, others)
  }

  /// Returns the ids of tracks by path.
  static func ids(
    ofPaths paths: [String], in context: NSManagedObjectContext
  ) throws -> [PathKey: UUID] {
    let paths = Set(paths.map(PathKey.init)).map(\.path)
    var ids: [PathKey: UUID] = [:]
    for start in stride(from: 0, to: paths.count, by: 500) {
      let request = NSFetchRequest<Track>(entityName: "Track")
      request.predicate = NSPredicate(
        format: "filePath IN %@",
        argumentArray: [Array(paths[start..<min(start + 500, paths.count)])])
      for track in try context.fetch(request) { ids[PathKey(track.filePath)] = track.id }
    }
    return ids
  }
}
