public import Foundation

/// A problem in a library.
public struct LibraryFinding: Sendable, Hashable, Codable, CustomStringConvertible {
  /// A kind of problem.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A track belongs to no album.
    case trackWithoutAlbum
    /// An album belongs to no artist.
    case albumWithoutArtist
    /// An artist belongs to no library.
    case artistWithoutLibrary
    /// Two tracks are the same file.
    case doubledPath
    /// The positions of a playlist are not 0, 1, 2 …, or an item has no track.
    case positions
    /// The file of a track is missing.
    case missingFile
    /// The number or the duration of an album's tracks is wrong.
    case wrongTotals
    /// An album has no tracks.
    case emptyAlbum
    /// An artist has no albums.
    case emptyArtist
    /// Several tracks have the same audio.
    case duplicateAudio

    /// A description of the repair for the user.
    public var repair: String {
      switch self {
      case .trackWithoutAlbum: "moves the track to \(Album.unknownTitle)"
      case .albumWithoutArtist: "gives the album to \(Artist.unknownName)"
      case .artistWithoutLibrary: "adds the artist to the first library"
      case .doubledPath, .duplicateAudio:
        "keeps the best track, adds the plays of the others to it, and deletes them"
      case .positions: "numbers the items again, and deletes those without track"
      case .missingFile: "deletes the track"
      case .wrongTotals: "counts and adds again"
      case .emptyAlbum: "deletes the album"
      case .emptyArtist: "deletes the artist"
      }
    }
  }

  /// The kind of problem.
  public let kind: Kind
  /// The object.
  public let id: UUID
  /// The object's title or name.
  public let title: String
  /// A sentence that describes the problem.
  public let message: String

  /// The title with the description.
  public var description: String { "\(title): \(message)" }
}
