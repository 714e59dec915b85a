public import Foundation

/// A track field that the user can edit. A rescan keeps the fields whose names are in the track's `editedFields`.
public enum TrackField: String, Sendable, Hashable, CaseIterable, Codable {
  /// The title.
  case title
  /// The artist of the track; empty if it is the album artist.
  case artist
  /// The title of the album.
  case album
  /// The artist of the album.
  case albumArtist
  /// The genre.
  case genre
  /// The year.
  case year
  /// The track number on the disc.
  case trackNumber
  /// The disc number.
  case discNumber
  /// The composer.
  case composer
  /// The lyrics.
  case lyrics

  /// Whether the field takes numbers.
  public var isNumber: Bool { [.year, .trackNumber, .discNumber].contains(self) }

  /// Returns a track's value as text, which is empty if there is none.
  func value(of track: Track) -> String {
    switch self {
    case .title: track.title
    case .artist: track.artistName ?? ""
    case .album: track.album?.title ?? ""
    case .albumArtist: track.album?.artist?.name ?? ""
    case .genre: track.genre ?? ""
    case .year: track.year.map(String.init) ?? ""
    case .trackNumber: track.trackNumber.map(String.init) ?? ""
    case .discNumber: String(track.discNumber)
    case .composer: track.composer ?? ""
    case .lyrics: track.lyrics ?? ""
    }
  }

  /// Returns the normalized form of a text, as ``value(of:)`` returns it.
  ///
  /// - Throws: `KanoraError` with code `.badValue`.
  package func checked(_ text: String) throws -> String {
    let isOneLine = self != .lyrics
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard text.unicodeScalars.count <= (isOneLine ? 1_000 : 100_000) else {
      throw KanoraError(.badValue, "The value of “\(rawValue)” is too long.", field: self)
    }
    if isOneLine, trimmed.unicodeScalars.contains(where: { $0.value < 32 }) {
      throw KanoraError(
        .badValue, "The value of “\(rawValue)” must be a single line without control characters.",
        field: self)
    }
    if trimmed.isEmpty {
      guard ![.title, .album, .albumArtist, .discNumber].contains(self) else {
        throw KanoraError(.badValue, "The value of “\(rawValue)” must not be empty.", field: self)
      }
      return ""
    }
    guard isNumber else { return trimmed }
    let limits = self == .year ? 0...9_999 : 0...Int(Int16.max)
    guard let number = Int(trimmed), limits.contains(number) else {
      throw KanoraError(
        .badValue,
        "The value of “\(rawValue)” must be a number from \(limits.lowerBound) to \(limits.upperBound).",
        field: self)
    }
    return String(number)
  }
}

/// A change of tracks.
public enum TrackChange: Sendable, Hashable {
  /// Sets a field to the same value in all tracks; an empty text removes the value.
  case set(TrackField, String)
  /// Replaces each occurrence of a text in a field. The search is case-sensitive.
  case replace(TrackField, find: String, with: String)
  /// Numbers the tracks in order, starting at the given number.
  case number(from: Int)
}

/// The change of one field of one track.
public struct TrackDifference: Sendable, Hashable, Codable {
  /// The track.
  public let trackID: UUID
  /// The track's title before the edit.
  public let title: String
  /// The field.
  public let field: TrackField
  /// The value before the edit; empty if there is none.
  public let old: String
  /// The value after the edit; empty if there is none.
  public let new: String
}
