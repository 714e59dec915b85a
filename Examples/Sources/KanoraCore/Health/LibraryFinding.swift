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
      case .trackWithoutAlbum: "move the tracks to \(Album.unknownTitle)"
      case .albumWithoutArtist: "assign the albums to \(Artist.unknownName)"
      case .artistWithoutLibrary: "add the artists to the first library"
      case .doubledPath, .duplicateAudio:
        "keep the best track of each group, add the plays of the others to it, and delete the others"
      case .positions: "renumber the items, and delete items without a track"
      case .missingFile: "delete the tracks"
      case .wrongTotals: "recalculate the totals"
      case .emptyAlbum: "delete the albums"
      case .emptyArtist: "delete the artists"
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
