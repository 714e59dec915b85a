public import CoreData
import Foundation

/// What a user looks for, as typed into a search field: `artist:beatles year:1960..1969 -live rating:>=4 unplayed`.
///
/// | Typed | Finds tracks |
/// |---|---|
/// | `word`, `"several words"` | with the text in title, artist, album or album artist |
/// | `title:` `artist:` `album:` `albumartist:` `genre:` `composer:` `path:` `lyrics:` | with the text in that field; `artist:=name` compares it whole |
/// | `format:flac` | of that format |
/// | `year:` `rating:` `plays:` `track:` `disc:` `length:` `bitrate:` | with that number, or in a range: `1990..1999`, `1990..`, `..1999`, `>4`, `>=4`, `<4`, `<=4`; lengths in seconds |
/// | `added:30d` `played:2w` `notplayed:90d` | added or played within so many days, weeks, months (`m`) or years (`y`); or not played in that time |
/// | `loved` `unplayed` `unrated` `missing` `edited` `compilation` | for which that is so |
/// | `-x`, `NOT x`; `x y`, `x AND y`; `x OR y`; `( )` | the opposite; both; at least one, which binds weakest |
///
/// Case and accents are ignored. A quotation holds any text; `\"` and `\\` stand for a quote and a backslash in it.
///
/// > Concurrency: A value.
public struct LibraryQuery: Sendable, Hashable, CustomStringConvertible {
  /// A condition, simple or composed.
  public indirect enum Node: Sendable, Hashable {
    /// All of the conditions; without any, every track.
    case all([Node])
    /// At least one of the conditions; without any, no track.
    case any([Node])
    /// The opposite of a condition.
    case not(Node)
    /// A text in title, artist, album or album artist.
    case words(String)
    /// A text in a field.
    case contains(TextField, String)
    /// A field that is a text as a whole.
    case equals(TextField, String)
    /// A number of a range.
    case range(NumberField, NumberRange)
    /// A date within the last so many days.
    case inTheLast(DateField, days: Int)
    /// Never played, or not within the last so many days.
    case notPlayed(days: Int)
    /// Something that is so.
    case flag(Flag)
  }

  /// A field with text.
  public enum TextField: String, Sendable, Hashable, CaseIterable {
    /// The title.
    case title
    /// The artist of the track, or that of its album.
    case artist
    /// The title of the album.
    case album
    /// The artist of the album.
    case albumArtist = "albumartist"
    /// The genre.
    case genre
    /// The composer.
    case composer
    /// The kind of file.
    case format
    /// The path of the file.
    case path
    /// The words.
    case lyrics
  }

  /// A field with a number.
  public enum NumberField: String, Sendable, Hashable, CaseIterable {
    /// The year.
    case year
    /// The rating, 0 for none.
    case rating
    /// How often the track was played.
    case plays
    /// The number on the disc.
    case track
    /// The number of the disc.
    case disc
    /// Seconds, without fractions.
    case length
    /// Kilobits a second.
    case bitrate
  }

  /// A field with a date.
  public enum DateField: String, Sendable, Hashable, CaseIterable {
    /// When the track was added.
    case added
    /// When the track was last played.
    case played
  }

  /// Something that is so or not.
  public enum Flag: String, Sendable, Hashable, CaseIterable {
    /// The user loves it.
    case loved
    /// It was never played.
    case unplayed
    /// It has no rating.
    case unrated
    /// Its file is missing.
    case missing
    /// The user has edited it.
    case edited
    /// Its album is a compilation.
    case compilation
  }

  /// Numbers from one to another, both included.
  public struct NumberRange: Sendable, Hashable {
    /// The lowest number; nil for no bound.
    public let lower: Int?
    /// The highest number; nil for no bound.
    public let upper: Int?

    /// Makes a range; without bounds it has every number.
    public init(_ lower: Int?, _ upper: Int?) {
      self.lower = lower
      self.upper = upper
    }
  }

  /// The condition.
  public let root: Node

  /// Makes a query of a condition.
  public init(_ root: Node) { self.root = root }

  /// Reads what a user typed.
  ///
  /// - Parameter text: The text; an empty one finds every track.
  /// - Throws: `LibraryQueryError`.
  public init(_ text: String) throws(LibraryQueryError) {
    root = try QueryParser.parse(text)
  }

  /// The query as text; reading it gives an equal query.
  public var description: String { QueryPrinter.text(root, isInner: false) }

  /// The tracks that the query finds.
  ///
  /// - Parameter now: The instant from which days are counted back.
  public func predicate(now: Date) -> NSPredicate { QueryPredicate(now: now).predicate(root) }
}

/// Why a text is no query.
public struct LibraryQueryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The stable name of what is wrong.
  public enum Code: String, Sendable {
    /// A quotation has no end.
    case openQuotation
    /// A parenthesis has no counterpart.
    case parenthesis
    /// There is no such field.
    case unknownField
    /// A field has no value, or an operator no operand.
    case missingValue
    /// A value is not a number, range or time.
    case badValue
    /// The text is too long, has too many conditions, or is nested too deeply.
    case tooLarge
  }

  /// The stable name of what is wrong.
  public let code: Code
  /// Where, in Unicode scalars from the start of the text.
  public let position: Int
  /// What is wrong and what to do, for people.
  public let message: String

  init(_ code: Code, at position: Int, _ message: String) {
    self.code = code
    self.position = position
    self.message = message
  }

  /// The sentence with its place.
  public var description: String { "\(message) (at \(position + 1))" }
}
