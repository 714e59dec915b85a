public import CoreData
import Foundation

/// Tracks as a table with one track per row, which can be edited in another program and read back.
public enum TrackTable {
  /// The columns. Those of ``TrackField``, `rating` and `loved` are read back; the others are informational.
  static let columns =
    ["path"] + TrackField.allCases.map(\.rawValue)
    + ["rating", "loved", "plays", "lastPlayed", "added", "seconds", "bytes", "format", "id"]

  /// Returns the tracks that match a filter as a table.
  ///
  /// - Throws: Any error the fetch throws.
  public static func table(
    _ filter: TrackFilter = TrackFilter(), now: Date = Date(), in context: NSManagedObjectContext
  ) throws -> CSVTable {
    let request = LibraryLists.request(filter, by: .album, isAscending: true, now: now)
    let rows = try context.fetch(request).map { track in
      [track.filePath] + TrackField.allCases.map { $0.value(of: track) } + [
        "\(track.rating)", track.isLoved ? "yes" : "no", "\(track.playCount)",
        track.lastPlayedAt.map { $0.formatted(.iso8601) } ?? "",
        track.createdAt.formatted(.iso8601), "\(track.duration)", "\(track.fileSize)",
        track.format, track.id.uuidString,
      ]
    }
    return CSVTable(rows: [columns] + rows)
  }
}

extension LibraryDesk {
  /// Sets the values of tracks from a table, as one undo step. Tracks are found by path, and columns by name.
  ///
  /// Values that a track already has are valid, even if an edit would refuse them.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - unknown: The handling of rows without a track in the library.
  /// - Returns: The number of changed tracks, and the paths that the library does not contain.
  /// - Throws: `KanoraError` with code `.badFile` or `.badValue`, or `.notFound` if rows are rejected; any error the save throws. Nothing
  ///   is then changed.
  public func importTable(
    _ table: CSVTable, unknown: UnknownTracks = .leftOut
  ) async throws -> (changed: Int, unknown: [String]) {
    guard let header = table.rows.first, let path = header.firstIndex(of: "path") else {
      throw KanoraError(.badFile, "The first line of the table has no column named “path”.")
    }
    guard Set(header).count == header.count else {
      throw KanoraError(.badFile, "The table has two columns with the same name.")
    }
    let rows = table.rows.dropFirst()
    if let wrong = rows.firstIndex(where: { $0.count != header.count }) {
      throw KanoraError(
        .badFile, "Row \(wrong + 1) has \(table.rows[wrong].count) fields, not \(header.count).")
    }
    var known: Set<PathKey> = []
    if let wrong = rows.first(where: { !known.insert(PathKey($0[path])).inserted }) {
      throw KanoraError(.badFile, "The table has two rows with the path “\(wrong[path])”.")
    }
    let instant = now()
    return try await perform("Import Table") { context in
      let ids = try Self.ids(ofPaths: rows.map { $0[path] }, in: context)
      let others = rows.map { $0[path] }.filter { ids[PathKey($0)] == nil }
      try unknown.check(others)
      let found: [(id: UUID, fields: [String: String])] = rows.compactMap { row in
        guard let id = ids[PathKey(row[path])] else { return nil }
        return (id: id, fields: Dictionary(uniqueKeysWithValues: zip(header, row)))
      }
      let tracks = try Self.objects(Track.self, found.map(\.id), in: context)
      let values = try zip(tracks, found).flatMap { track, row in
        try TrackEditing.values(of: [track], after: Self.changes(row.fields))
      }
      try TrackEditing.write(values, to: tracks, at: instant, in: context)
      var changed = 0
      for (index, track) in tracks.enumerated() {
        let hasNewMarks = try Self.setMarks(found[index].fields, of: track)
        if hasNewMarks || !values[index].isEmpty { changed += 1 }
      }
      return (changed, others)
    }
  }

  private static func changes(_ fields: [String: String]) -> [TrackChange] {
    TrackField.allCases.compactMap { field in
      fields[field.rawValue].map { TrackChange.set(field, $0) }
    }
  }

  /// Sets the rating, and whether the track is loved.
  ///
  /// - Returns: Whether the track changed.
  private static func setMarks(_ values: [String: String], of track: Track) throws -> Bool {
    var isChanged = false
    if let text = values["rating"], text != "\(track.rating)" {
      guard let rating = Int16(text), (0...5).contains(rating) else {
        throw KanoraError(
          .badValue, "The value of “rating” must be a number from 0 to 5, not “\(text.prefix(40))”."
        )
      }
      if track.rating != rating { (track.rating, isChanged) = (rating, true) }
    }
    if let text = values["loved"] {
      guard ["yes", "no"].contains(text) else {
        throw KanoraError(
          .badValue, "The value of “loved” must be “yes” or “no”, not “\(text.prefix(40))”.")
      }
      if track.isLoved != (text == "yes") { (track.isLoved, isChanged) = (text == "yes", true) }
    }
    return isChanged
  }
}
