import CoreData
import Foundation

/// Converts queries to predicates for tracks.
///
/// Each condition is true or false even if a track has no value, so that negating a condition inverts its result.
struct QueryPredicate {
  let now: Date

  func predicate(_ node: LibraryQuery.Node) -> NSPredicate {
    switch node {
    case .all(let nodes):
      nodes.isEmpty
        ? NSPredicate(value: true)
        : NSCompoundPredicate(andPredicateWithSubpredicates: nodes.map(predicate))
    case .any(let nodes):
      nodes.isEmpty
        ? NSPredicate(value: false)
        : NSCompoundPredicate(orPredicateWithSubpredicates: nodes.map(predicate))
    case .not(let inner): NSCompoundPredicate(notPredicateWithSubpredicate: predicate(inner))
    case .words(let words):
      NSCompoundPredicate(
        orPredicateWithSubpredicates: [.title, .artist, .album].map {
          text($0, words, "CONTAINS")
        })
    case .contains(let field, let value): text(field, value, "CONTAINS")
    case .equals(let field, let value): text(field, value, "==")
    case .range(let field, let range): numbers(field, range)
    case .inTheLast(let field, let days):
      make(
        "%K != nil AND %K >= %@", [Self.key(of: field), Self.key(of: field), instant(days)])
    case .notPlayed(let days):
      make("lastPlayedAt == nil OR lastPlayedAt < %@", [instant(days)])
    case .flag(let flag): make(Self.format(of: flag), [])
    }
  }

  private func make(_ format: String, _ arguments: [Any]) -> NSPredicate {
    NSPredicate(format: format, argumentArray: arguments)
  }

  private func instant(_ days: Int) -> Date { now.addingTimeInterval(-86_400 * Double(days)) }

  private static func key(of field: LibraryQuery.DateField) -> String {
    switch field {
    case .added: "createdAt"
    case .played: "lastPlayedAt"
    }
  }

  private static func format(of flag: LibraryQuery.Flag) -> String {
    switch flag {
    case .loved: "isLoved == YES"
    case .unplayed: "playCount == 0"
    case .unrated: "rating == 0"
    case .missing: "missingSince != nil"
    case .edited: "editedKeys != nil"
    case .compilation: "album != nil AND album.isCompilation == YES"
    }
  }

  // MARK: Texts

  private func text(
    _ field: LibraryQuery.TextField, _ value: String, _ comparison: String
  ) -> NSPredicate {
    if field == .path { return comparing("filePath", comparison, value) }
    let folded = SearchText.fold(value)
    // A value that consists only of accents folds to the empty text, which every text contains.
    if folded.isEmpty { return NSPredicate(value: false) }
    switch field {
    case .title: return comparing("titleKey", comparison, folded)
    case .album: return comparing("album.titleKey", comparison, folded)
    case .albumArtist: return comparing("album.artist.nameKey", comparison, folded)
    case .genre: return comparing("genreKey", comparison, folded)
    case .artist:
      return NSCompoundPredicate(orPredicateWithSubpredicates: [
        comparing("artistKey", comparison, folded),
        comparing("album.artist.nameKey", comparison, folded),
      ])
    case .format: return comparing("format", "==", folded)
    case .composer: return comparing("composer", "\(comparison)[cd]", value)
    case .lyrics: return comparing("lyrics", "\(comparison)[cd]", value)
    case .path: return comparing("filePath", comparison, value)
    }
  }

  private func comparing(_ key: String, _ comparison: String, _ value: String) -> NSPredicate {
    make("%K != nil AND %K \(comparison) %@", [key, key, value])
  }

  // MARK: Numbers

  private func numbers(
    _ field: LibraryQuery.NumberField, _ range: LibraryQuery.NumberRange
  ) -> NSPredicate {
    let key = Self.key(of: field)
    var parts = [make("%K != nil", [key])]
    if let lower = range.lower { parts.append(make("%K >= %@", [key, lower])) }
    if let upper = range.upper {
      // A length of 180 is anything below 181 seconds.
      parts.append(
        field == .length ? make("%K < %@", [key, upper + 1]) : make("%K <= %@", [key, upper]))
    }
    return NSCompoundPredicate(andPredicateWithSubpredicates: parts)
  }

  private static func key(of field: LibraryQuery.NumberField) -> String {
    switch field {
    case .year: "year"
    case .rating: "rating"
    case .plays: "playCount"
    case .track: "trackNumber"
    case .disc: "discNumber"
    case .length: "duration"
    case .bitrate: "bitrate"
    }
  }
}
