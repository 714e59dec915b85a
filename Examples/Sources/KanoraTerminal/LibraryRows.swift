import Foundation
import KanoraCore
import TerminalView
import WebPages

/// The rows of genres, artists, albums, tracks and playlists in a terminal.
enum LibraryRows {
  static func genre(_ counted: CountedValue<String>) -> TerminalRow {
    TerminalRow(
      id: counted.value.map { "genre \($0)" } ?? "none",
      counted.value.map(CellText.line) ?? "No genre", detail: tracks(counted.trackCount),
      style: counted.value == nil ? .muted : .plain)
  }

  /// Returns the genre of a row.
  static func genre(ofRow id: String) -> String? {
    id.hasPrefix("genre ") ? String(id.dropFirst(6)) : nil
  }

  static func artist(_ artist: ArtistRow) -> TerminalRow {
    let albums = Wording.count(artist.albumCount, "album")
    return TerminalRow(
      id: artist.id.uuidString, CellText.line(artist.name),
      detail: "\(albums) · \(tracks(artist.trackCount))")
  }

  /// Returns the row of an album, omitting the artist in a list of one artist's albums.
  static func album(_ album: AlbumRow, in filter: TrackFilter) -> TerminalRow {
    let artist = filter.artistID == nil ? album.artist.map { " · \(CellText.line($0))" } ?? "" : ""
    let year = album.year.map { "\($0) · " } ?? ""
    return TerminalRow(
      id: album.id.uuidString, CellText.line(album.title) + artist,
      detail: "\(year)\(tracks(album.trackCount)) · \(time(album.duration))")
  }

  /// Returns the row of a track. A playlist can contain the same track at several positions.
  ///
  /// - Parameters:
  ///   - track: The track.
  ///   - position: The track's position in a playlist.
  ///   - filter: The filter that all tracks of the list match.
  static func track(
    _ track: TrackRow, at position: Int? = nil, in filter: TrackFilter = TrackFilter()
  ) -> TerminalRow {
    let id = position.map { "\($0) \(track.id.uuidString)" } ?? track.id.uuidString
    let album = filter.albumID == nil ? track.album.map { " · \(CellText.line($0))" } ?? "" : ""
    let marks = [
      track.isLoved ? "♥" : "", track.rating > 0 ? "\(track.rating)★" : "",
      track.isMissing ? "missing" : "", time(track.duration),
    ]
    return TerminalRow(
      id: id, "\(CellText.line(track.title)) · \(CellText.line(track.artist))\(album)",
      detail: marks.filter { !$0.isEmpty }.joined(separator: " "),
      style: track.isMissing ? .muted : .plain)
  }

  /// Returns the track of a row.
  static func trackID(ofRow id: String) -> UUID? { UUID(uuidString: String(id.suffix(36))) }

  static func playlist(_ playlist: PlaylistRow) -> TerminalRow {
    TerminalRow(
      id: playlist.id.uuidString, CellText.line(playlist.name),
      detail: playlist.isSmart ? "smart" : tracks(playlist.itemCount))
  }

  /// Returns the details of a track, one per line.
  static func details(_ track: TrackRow) -> [TerminalRow] {
    let played = track.lastPlayedAt.map { ", last on \($0.formatted(.iso8601))" } ?? ""
    let lines: [(String, String)] = [
      ("Title", track.title), ("Artist", track.artist), ("Album", track.album ?? ""),
      ("Album artist", track.albumArtist ?? ""), ("Genre", track.genre ?? ""),
      ("Year", track.year.map(String.init) ?? ""),
      ("Track", track.trackNumber.map { "\($0), disc \(track.discNumber)" } ?? ""),
      ("Time", time(track.duration)), ("Rating", track.rating > 0 ? "\(track.rating) of 5" : ""),
      ("Loved", track.isLoved ? "yes" : ""),
      ("Played", "\(Wording.count(track.playCount, "time"))\(played)"),
      ("Missing", track.isMissing ? "yes" : ""), ("Format", track.format),
      ("File", track.filePath),
    ]
    return lines.filter { !$0.1.isEmpty }.map { label, value in
      TerminalRow(id: label, "\(label): \(CellText.line(value))", wraps: true)
    }
  }

  private static func tracks(_ count: Int) -> String { Wording.count(count, "track") }

  /// Formats seconds as hours, minutes and seconds.
  private static func time(_ seconds: Double) -> String {
    // Durations read from files can have any value.
    guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "?" }
    let whole = Int(seconds.rounded())
    let (hours, minutes, rest) = (whole / 3_600, whole / 60 % 60, whole % 60)
    return hours > 0
      ? String(format: "%d:%02d:%02d", hours, minutes, rest)
      : String(format: "%d:%02d", minutes, rest)
  }
}
