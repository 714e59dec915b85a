public import CoreData
import Foundation

/// The rules of a smart playlist: which tracks it contains, in which order, and how many.
///
/// Stored as JSON in the playlist:
///
/// ```json
/// {"rule": {"all": [{"is": {"genre": "rock"}}, {"inRange": {"year": [1990, 1999]}},
///                   {"any": [{"flag": "loved"}, {"inRange": {"rating": [4, null]}}]},
///                   {"not": {"contains": {"title": "live"}}}, {"inTheLast": {"added": 30}}]},
///  "sort": "plays", "order": "descending", "limit": 25}
/// ```
///
/// > Concurrency: A value.
public struct SmartRules: Sendable, Hashable {
  /// The query that tracks must match.
  public var query: LibraryQuery
  /// The sort order.
  public var sort: TrackOrder
  /// Whether the order is ascending.
  public var isAscending: Bool
  /// The maximum number of tracks, or nil for no limit.
  public var limit: Int?

  /// Creates rules.
  public init(
    _ query: LibraryQuery, sort: TrackOrder = .album, isAscending: Bool = true,
    limit: Int? = nil
  ) {
    self.query = query
    self.sort = sort
    self.isAscending = isAscending
    self.limit = limit
  }

  /// Reads the rules of a playlist.
  ///
  /// - Throws: `KanoraError` with code `.badRules`.
  public init(of playlist: Playlist) throws {
    guard let data = playlist.smartCriteria else {
      throw KanoraError(
        .badRules, "The smart playlist “\(playlist.name)” has no rules. Set its rules.")
    }
    try self.init(data as Data)
  }

  /// Reads rules from JSON.
  ///
  /// - Throws: `KanoraError` with code `.badRules`, whose message states the problem.
  public init(_ data: Data) throws {
    guard data.count <= Self.largestSize else {
      throw KanoraError(.badRules, "The rules are larger than \(Self.largestSize) bytes.")
    }
    let object: Any
    do { object = try JSONSerialization.jsonObject(with: data) } catch {
      throw KanoraError(.badRules, "The rules are not valid JSON.", underlying: error)
    }
    self = try RuleReader().rules(object)
  }

  static let largestSize = 1_000_000

  /// Returns the rules as JSON, which is identical for equal rules.
  ///
  /// - Throws: `KanoraError` with code `.badRules` if the rules could not be read back.
  public func data() throws -> Data {
    var object: [String: Any] = [
      "rule": RuleReader.object(of: query.root), "sort": sort.rawValue,
      "order": isAscending ? "ascending" : "descending",
    ]
    if let limit { object["limit"] = limit }
    let data = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])
    // Rejects rules that are too deep or too large when they are written, not when they are read.
    _ = try SmartRules(data)
    return data
  }

  /// Returns a fetch request for the tracks.
  ///
  /// - Parameter now: The date from which days are counted back.
  public func request(now: Date) -> NSFetchRequest<Track> {
    let request = NSFetchRequest<Track>(entityName: "Track")
    request.predicate = query.predicate(now: now)
    request.sortDescriptors = sort.descriptors(isAscending: isAscending)
    if let limit { request.fetchLimit = limit }
    return request
  }
}
