import AudioFiles
import CoreData
import Foundation
import OpenPersistenceKit

/// Copies the content of a file into its track and album, and keeps the fields that the user has edited.
///
/// Confined to the queue of the albums' context.
struct TrackImporter {
  let albums: AlbumBatch
  let now: Date
  /// The picture of each folder examined so far; nil for a folder without one.
  private var pictures: [String: String?] = [:]

  init(_ albums: AlbumBatch, now: Date) {
    self.albums = albums
    self.now = now
  }

  /// Imports a file into a track, which may be new.
  ///
  /// - Parameters:
  ///   - file: The content of the file.
  ///   - path: The file's path.
  ///   - track: The track.
  /// - Returns: The album that the track was removed from, or nil if its album did not change.
  mutating func importFile(_ file: AudioFile, at path: String, into track: Track) -> Album? {
    let naming = AlbumNaming(file.tags)
    let (oldYear, oldGenre, oldPath) = (track.year, track.genre, track.filePath)
    let left = place(track, on: naming, file)
    importAudio(file, at: path, into: track)
    importTags(file.tags, naming, at: path, into: track)
    if let album = track.album {
      fill(album, from: file, track, year: oldYear, genre: oldGenre)
      setArtwork(of: album, file, at: path, before: oldPath)
      if album.hasChanges { album.update(\.updatedAt, to: now) }
    }
    if track.hasChanges { track.update(\.updatedAt, to: now) }
    return left
  }

  // MARK: The album

  private func place(_ track: Track, on naming: AlbumNaming, _ file: AudioFile) -> Album? {
    let old = track.album
    let isKept = old != nil && !track.editedFields.isDisjoint(with: ["album", "albumArtist"])
    let album = isKept ? old : albums.album(for: naming, file.tags, now: now)
    if let old { Self.add(-track.duration, tracks: -1, to: old) }
    if let album { Self.add(Self.duration(of: file), tracks: 1, to: album) }
    guard old !== album else { return nil }
    track.album = album
    return old
  }

  /// Rounds to whole milliseconds, so that the sum does not depend on the order of the durations.
  private static func add(_ duration: Double, tracks: Int32, to album: Album) {
    album.trackCount = Int32(clamping: Int64(album.trackCount) + Int64(tracks))
    album.totalDuration = ((album.totalDuration + duration) * 1_000).rounded() / 1_000
  }

  /// Returns the duration of a file, limited to what a track can have. The file itself can claim any duration.
  private static func duration(of file: AudioFile) -> Double {
    min(file.duration, Track.durations.upperBound)
  }

  /// Updates the album's values that are derived from its tracks.
  private func fill(
    _ album: Album, from file: AudioFile, _ track: Track, year: Int32?, genre: String?
  ) {
    let tags = file.tags
    if album.year == nil || album.year == year { album.updateIfPresent(\.year, to: track.year) }
    if album.genre == nil || album.genre == genre {
      album.updateIfPresent(\.genre, to: track.genre)
    }
    if album.releaseDate == nil { album.updateIfPresent(\.releaseDate, to: tags.date?.day0) }
    if album.mbid == nil { album.updateIfPresent(\.mbid, to: tags.albumID) }
    album.updateIfPresent(\.albumGain, to: tags.albumGain)
    album.updateIfPresent(\.albumPeak, to: tags.albumPeak)
    if tags.isCompilation { album.update(\.isCompilation, to: true) }
  }

  private mutating func setArtwork(
    of album: Album, _ file: AudioFile, at path: String, before oldPath: String
  ) {
    if album.artworkPath == oldPath, PathKey(oldPath) != PathKey(path) {
      album.artworkPath = nil
    }
    guard album.artworkPath == nil else { return }
    album.updateIfPresent(
      \.artworkPath, to: file.pictureCount > 0 ? path : picture(besides: path))
  }

  private mutating func picture(besides path: String) -> String? {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    if let known = pictures[folder.path] { return known }
    let found = Artwork.file(inFolder: folder)?.path
    pictures[folder.path] = .some(found)
    return found
  }

  // MARK: The track

  private func importAudio(_ file: AudioFile, at path: String, into track: Track) {
    // Two forms of an accent are equal texts, but different paths.
    if PathKey(track.filePath) != PathKey(path) { track.filePath = path }
    track.update(\.fileSize, to: file.stamp.size)
    track.update(\.fileModifiedAt, to: file.stamp.modified)
    track.update(\.fingerprint, to: file.fingerprint)
    track.update(\.missingSince, to: nil)
    track.update(\.duration, to: Self.duration(of: file))
    track.update(\.format, to: file.format.rawValue)
    track.update(\.codec, to: file.codec.isEmpty ? nil : file.codec)
    track.update(\.bitrate, to: Int32(clamping: file.bitrate))
    track.update(\.sampleRate, to: Int32(clamping: file.sampleRate))
    track.update(\.channels, to: Int16(clamping: file.channels))
  }

  private func importTags(
    _ tags: AudioTags, _ naming: AlbumNaming, at path: String, into track: Track
  ) {
    let edited = track.editedFields
    func set<Value: Equatable>(
      _ name: String, _ property: ReferenceWritableKeyPath<Track, Value>, _ value: Value
    ) {
      if !edited.contains(name) { track.update(property, to: value) }
    }
    let fileName = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    set("title", \.title, tags.title ?? fileName)
    let isOther = tags.artist.map { SearchText.fold($0) != track.album?.artist?.nameKey } ?? false
    set("artist", \.artistName, isOther ? tags.artist : nil)
    set("trackNumber", \.trackNumber, tags.track.number.map { Int16(clamping: $0) })
    set("discNumber", \.discNumber, Int16(clamping: tags.disc.number ?? naming.disc ?? 1))
    set("genre", \.genre, tags.genre)
    set("year", \.year, tags.date.map { Int32(clamping: $0.year) })
    set("composer", \.composer, tags.composer)
    set("lyrics", \.lyrics, tags.lyrics)
    track.update(\.mbid, to: tags.recordingID)
    track.update(\.trackGain, to: tags.trackGain)
    track.update(\.trackPeak, to: tags.trackPeak)
    track.updateKeys()
  }
}

extension TagDate {
  /// The start of the day in UTC, or nil if only the year or month is known.
  fileprivate var day0: Date? {
    guard let month, let day else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar.date(from: DateComponents(year: year, month: month, day: day))
  }
}
