public import CoreData
import Foundation

/// Tracks as a table, one a row, which can be changed in another program and read back.
public enum TrackTable {
  /// The columns; those of ``TrackField``, `rating` and `loved` are read back, the others are for people.
  static let columns =
    ["path"] + TrackField.allCases.map(\.rawValue)
    + ["rating", "loved", "plays", "lastPlayed", "added", "seconds", "bytes", "format", "id"]

  /// The tracks that pass a filter, as a table.
  ///
  /// - Throws: What the fetch throws.
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
  /// Gives tracks the values of a table, as one step; tracks are found by their paths, and columns by their names.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - unknown: What becomes of rows that the library has no track for.
  /// - Returns: How many tracks changed, and the paths that the library does not have.
  /// - Throws: `KanoraError` with code `.badFile` or `.badValue`, or `.notFound` for refused rows; what the save throws. Nothing is
  ///   changed then.
  public func importTable(
    _ table: CSVTable, unknown: UnknownTracks = .leftOut
  ) async throws -> (changed: Int, unknown: [String]) {
    guard let header = table.rows.first, let path = header.firstIndex(of: "path") else {
      throw KanoraError(.badFile, "The table has no column path in its first line.")
    }
    guard Set(header).count == header.count else {
      throw KanoraError(.badFile, "The table has two columns of the same name.")
    }
    let rows = table.rows.dropFirst()
    if let wrong = rows.firstIndex(where: { $0.count != header.count }) {
      throw KanoraError(
        .badFile, "Row \(wrong + 1) has \(table.rows[wrong].count) fields, not \(header.count).")
    }
    let instant = now()
    return try await perform("Import Table") { context in
      let ids = try Self.ids(ofPaths: rows.map { $0[path] }, in: context)
      try unknown.check(rows.map { $0[path] }.filter { ids[$0] == nil })
      var changed = 0
      for row in rows {
        guard let id = ids[row[path]] else { continue }
        let values = Dictionary(uniqueKeysWithValues: zip(header, row))
        let track = try Self.object(Track.self, id, in: context)
        if try Self.set(values, of: track, at: instant, in: context) { changed += 1 }
      }
      return (changed, rows.map { $0[path] }.filter { ids[$0] == nil })
    }
  }

  private static func set(
    _ values: [String: String], of track: Track, at instant: Date,
    in context: NSManagedObjectContext
  ) throws -> Bool {
    let changes = TrackField.allCases.compactMap { field in
      values[field.rawValue].map { TrackChange.set(field, $0) }
    }
    var isChanged = try TrackEditing.carryOut(changes, on: [track], at: instant, in: context)
    if let text = values["rating"] {
      guard let rating = Int16(text), (0...5).contains(rating) else {
        throw KanoraError(.badValue, "A rating is a number from 0 to 5, not \(text.prefix(40)).")
      }
      if track.rating != rating { (track.rating, isChanged) = (rating, true) }
    }
    if let text = values["loved"] {
      guard ["yes", "no"].contains(text) else {
        throw KanoraError(.badValue, "loved is yes or no, not \(text.prefix(40)).")
      }
      if track.isLoved != (text == "yes") { (track.isLoved, isChanged) = (text == "yes", true) }
    }
    return isChanged
  }
}
