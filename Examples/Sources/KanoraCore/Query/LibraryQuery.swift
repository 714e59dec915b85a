public import CoreData
import Foundation

/// A search query, as typed into a search field: `artist:beatles year:1960..1969 -live rating:>=4 unplayed`.
///
/// | Typed | Finds tracks |
/// |---|---|
/// | `word`, `"several words"` | with the text in title, artist, album or album artist |
/// | `title:` `artist:` `album:` `albumartist:` `genre:` `composer:` `path:` `lyrics:` | with the text in that field; `artist:=name` matches the whole field |
/// | `format:flac` | with that format |
/// | `year:` `rating:` `plays:` `track:` `disc:` `length:` `bitrate:` | with that number, or in a range: `1990..1999`, `1990..`, `..1999`, `>4`, `>=4`, `<4`, `<=4`; lengths in seconds |
/// | `added:30d` `played:2w` `notplayed:90d` | added or played within that many days, weeks, months (`m`) or years (`y`); or not played in that time |
/// | `loved` `unplayed` `unrated` `missing` `edited` `compilation` | with that property |
/// | `-x`, `NOT x`; `x y`, `x AND y`; `x OR y`; `( )` | negation; both conditions; at least one condition, with the lowest precedence; grouping |
///
/// Case and accents are ignored. A quotation contains any text; `\"` and `\\` represent a quote and a backslash in it.
///
/// > Concurrency: A value.
public struct LibraryQuery: Sendable, Hashable, CustomStringConvertible {
  /// A simple or compound condition.
  public indirect enum Node: Sendable, Hashable {
    /// All of the conditions; every track if there are none.
    case all([Node])
    /// At least one of the conditions; no track if there are none.
    case any([Node])
    /// The negation of a condition.
    case not(Node)
    /// A text in title, artist, album or album artist.
    case words(String)
    /// A text in a field.
    case contains(TextField, String)
    /// A field whose whole value is a text.
    case equals(TextField, String)
    /// A number in a range.
    case range(NumberField, NumberRange)
    /// A date within the given number of days.
    case inTheLast(DateField, days: Int)
    /// Never played, or not within the given number of days.
    case notPlayed(days: Int)
    /// A property that a track has.
    case flag(Flag)
  }

  /// A text field.
  public enum TextField: String, Sendable, Hashable, CaseIterable {
    /// The title.
    case title
    /// The artist of the track, or the album artist.
    case artist
    /// The title of the album.
    case album
    /// The album artist.
    case albumArtist = "albumartist"
    /// The genre.
    case genre
    /// The composer.
    case composer
    /// The file format.
    case format
    /// The path of the file.
    case path
    /// The lyrics.
    case lyrics
  }

  /// A numeric field.
  public enum NumberField: String, Sendable, Hashable, CaseIterable {
    /// The year.
    case year
    /// The rating; 0 for none.
    case rating
    /// The number of plays.
    case plays
    /// The track number on the disc.
    case track
    /// The disc number.
    case disc
    /// The duration in seconds, without fractions.
    case length
    /// The bit rate in kilobits per second.
    case bitrate
  }

  /// A date field.
  public enum DateField: String, Sendable, Hashable, CaseIterable {
    /// The date the track was added.
    case added
    /// The date of the last play.
    case played
  }

  /// A property that a track has or does not have.
  public enum Flag: String, Sendable, Hashable, CaseIterable {
    /// The user loves the track.
    case loved
    /// The track was never played.
    case unplayed
    /// The track has no rating.
    case unrated
    /// The track's file is missing.
    case missing
    /// The user has edited the track.
    case edited
    /// The track's album is a compilation.
    case compilation
  }

  /// A closed range of numbers. A query requires at least one bound.
  public struct NumberRange: Sendable, Hashable {
    /// The lowest number, or nil for no bound.
    public let lower: Int?
    /// The highest number, or nil for no bound.
    public let upper: Int?

    /// Creates a range.
    public init(_ lower: Int?, _ upper: Int?) {
      self.lower = lower
      self.upper = upper
    }
  }

  /// The condition.
  public let root: Node

  /// Creates a query from a condition.
  ///
  /// - Parameter root: The condition, in the form that parsing a text produces: each list has at least two conditions, except that the root
  ///   may be an empty `all` list.
  /// - Throws: `LibraryQueryError` if no text parses to the condition.
  public init(_ root: Node) throws(LibraryQueryError) {
    guard try QueryParser.parse(QueryPrinter.text(root, isInner: false)) == root else {
      throw LibraryQueryError(
        .badValue, at: 0,
        "The condition has no text form. A list of conditions must have at least two conditions.")
    }
    self.root = root
  }

  /// Creates a query from a text typed by the user.
  ///
  /// - Parameter text: The text; an empty text matches every track.
  /// - Throws: `LibraryQueryError`.
  public init(_ text: String) throws(LibraryQueryError) {
    try self.init(QueryParser.parse(text))
  }

  /// The query as text; parsing it returns an equal query.
  public var description: String { QueryPrinter.text(root, isInner: false) }

  /// Returns a predicate for the tracks that match the query.
  ///
  /// - Parameter now: The date from which days are counted back.
  public func predicate(now: Date) -> NSPredicate { QueryPredicate(now: now).predicate(root) }
}

/// The error thrown when a text is not a valid query.
public struct LibraryQueryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A stable error code.
  public enum Code: String, Sendable {
    /// A quotation is not closed.
    case openQuotation
    /// A parenthesis is unbalanced.
    case parenthesis
    /// There is no such field.
    case unknownField
    /// A field has no value, or an operator has no operand.
    case missingValue
    /// A value is not a number, range or time.
    case badValue
    /// The text is too long, has too many conditions, or is nested too deeply.
    case tooLarge
  }

  /// The stable error code.
  public let code: Code
  /// The position of the error, in Unicode scalars from the start of the text.
  public let position: Int
  /// A message for the user: what is wrong, and what to do.
  public let message: String

  init(_ code: Code, at position: Int, _ message: String) {
    self.code = code
    self.position = position
    self.message = message
  }

  /// The message with its position.
  public var description: String { "\(message) (at character \(position + 1))" }
}
