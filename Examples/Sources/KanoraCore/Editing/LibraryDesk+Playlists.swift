import CoreData
public import Foundation
import OpenPersistenceKit

extension LibraryDesk {
  /// Creates a playlist.
  ///
  /// - Parameters:
  ///   - name: The playlist's name.
  ///   - tracks: The playlist's tracks, in order.
  ///   - library: The library that contains the playlist, or nil for the first library.
  /// - Returns: The playlist's id.
  /// - Throws: `KanoraError` with code `.badValue` or `.notFound`; any error the save throws.
  @discardableResult
  public func makePlaylist(
    _ name: String, tracks: [UUID] = [], library: UUID? = nil
  ) async throws -> UUID {
    try await make(name, library) { playlist, context, instant in
      try Self.append(tracks, to: playlist, at: instant, in: context)
    }
  }

  /// Creates a smart playlist.
  ///
  /// - Returns: The playlist's id.
  /// - Throws: `KanoraError` with code `.badValue` or `.notFound`; any error the save throws.
  @discardableResult
  public func makeSmartPlaylist(
    _ name: String, _ rules: SmartRules, library: UUID? = nil
  ) async throws -> UUID {
    let data = try rules.data()
    return try await make(name, library) { playlist, _, _ in
      playlist.isSmart = true
      playlist.smartCriteria = data as NSData
    }
  }

  private func make(
    _ name: String, _ library: UUID?,
    _ fill: @escaping @Sendable (Playlist, NSManagedObjectContext, Date) throws -> Void
  ) async throws -> UUID {
    let instant = now()
    let name = try Self.playlistName(name)
    return try await perform("New Playlist") { context in
      let playlist = Playlist(context: context)
      playlist.name = name
      (playlist.createdAt, playlist.updatedAt) = (instant, instant)
      playlist.library =
        try library.map { try Self.object(Library.self, $0, in: context) }
        ?? Self.firstLibrary(in: context)
      try fill(playlist, context, instant)
      return playlist.id
    }
  }

  private static func firstLibrary(in context: NSManagedObjectContext) throws -> Library? {
    let request = NSFetchRequest<Library>(entityName: "Library")
    request.sortDescriptors = [
      NSSortDescriptor(key: "isDefault", ascending: false),
      NSSortDescriptor(key: "createdAt", ascending: true),
    ]
    request.fetchLimit = 1
    return try context.fetch(request).first
  }

  private static func playlistName(_ name: String) throws -> String {
    let trimmed = name.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !trimmed.isEmpty, trimmed.unicodeScalars.count <= 500 else {
      throw KanoraError(.badValue, "The name of a playlist must have 1 to 500 characters.")
    }
    return trimmed
  }

  /// Renames a playlist.
  ///
  /// - Throws: `KanoraError` with code `.badValue` or `.notFound`; any error the save throws.
  public func renamePlaylist(_ id: UUID, to name: String) async throws {
    let name = try Self.playlistName(name)
    try await change(id, "Rename Playlist") { playlist, _ in
      playlist.update(\.name, to: name)
    }
  }

  /// Replaces the rules of a smart playlist.
  ///
  /// - Throws: `KanoraError` with code `.badValue` or `.notFound`; any error the save throws.
  public func setRules(_ rules: SmartRules, of id: UUID) async throws {
    let data = try rules.data()
    try await change(id, "Change Rules") { playlist, _ in
      guard playlist.isSmart else {
        throw KanoraError(.badValue, "The playlist is not a smart playlist, so it has no rules.")
      }
      playlist.smartCriteria = data as NSData
    }
  }

  /// Deletes a playlist. Its tracks remain in the library.
  ///
  /// - Throws: `KanoraError` with code `.notFound`; any error the save throws.
  public func deletePlaylist(_ id: UUID) async throws {
    try await perform("Delete Playlist") { context in
      context.delete(try Self.object(Playlist.self, id, in: context))
    }
  }

  // MARK: Items

  /// Appends tracks to a playlist, including tracks that it already contains.
  ///
  /// - Throws: `KanoraError` with code `.badValue` if the playlist is smart, or `.notFound`; any error the save throws.
  public func add(_ tracks: [UUID], toPlaylist id: UUID) async throws {
    let instant = now()
    try await changeItems(of: id, "Add to Playlist") { playlist, context in
      try Self.append(tracks, to: playlist, at: instant, in: context)
    }
  }

  /// Removes the items at the given positions of a playlist, and renumbers the remaining items.
  ///
  /// - Throws: `KanoraError` with code `.badValue` if the playlist has no such position, or `.notFound`; any error the save throws.
  public func remove(positions: [Int], fromPlaylist id: UUID) async throws {
    try await changeItems(of: id, "Remove from Playlist") { playlist, context in
      let items = playlist.orderedItems
      for position in Set(positions) {
        context.delete(items[try Self.checked(position, items.count)])
      }
      context.processPendingChanges()
      Self.renumber(playlist.orderedItems)
    }
  }

  /// Moves one item of a playlist, and shifts the items between its old and new positions.
  ///
  /// - Parameters:
  ///   - position: The item's current position.
  ///   - target: The item's new position.
  ///   - id: The playlist.
  /// - Throws: `KanoraError` with code `.badValue` if the playlist has no such position, or `.notFound`; any error the save throws.
  public func move(from position: Int, to target: Int, inPlaylist id: UUID) async throws {
    try await changeItems(of: id, "Move in Playlist") { playlist, _ in
      var items = playlist.orderedItems
      let item = items.remove(at: try Self.checked(position, items.count))
      items.insert(item, at: try Self.checked(target, items.count + 1))
      Self.renumber(items)
    }
  }

  /// Removes items from a playlist by id, and renumbers the remaining items.
  ///
  /// - Throws: `KanoraError` with code `.badValue` if the playlist is smart, or `.notFound`; any error the save throws.
  public func remove(items ids: [UUID], fromPlaylist id: UUID) async throws {
    try await changeItems(of: id, "Remove from Playlist") { playlist, context in
      for item in try Self.items(ids, of: playlist) { context.delete(item) }
      context.processPendingChanges()
      Self.renumber(playlist.orderedItems)
    }
  }

  /// Moves an item of a playlist by a number of positions, stopping at the ends of the playlist.
  ///
  /// - Parameters:
  ///   - itemID: The item.
  ///   - places: The number of positions; negative values move the item towards the start.
  ///   - id: The playlist.
  /// - Throws: `KanoraError` with code `.badValue` if the playlist is smart, or `.notFound`; any error the save throws.
  public func move(item itemID: UUID, by places: Int, inPlaylist id: UUID) async throws {
    try await changeItems(of: id, "Move in Playlist") { playlist, _ in
      var items = playlist.orderedItems
      let place = try Self.place(of: itemID, in: items)
      let item = items.remove(at: place)
      let target = place.addingReportingOverflow(places)
      let end = target.overflow ? (places < 0 ? 0 : items.count) : target.partialValue
      items.insert(item, at: min(max(0, end), items.count))
      Self.renumber(items)
    }
  }

  /// Moves an item of a playlist to a position next to another item.
  ///
  /// - Parameters:
  ///   - itemID: The item.
  ///   - side: The side of the other item.
  ///   - otherID: The other item.
  ///   - id: The playlist.
  /// - Throws: `KanoraError` with code `.badValue` if the playlist is smart, or `.notFound` if it does not contain both items; any error
  ///   the save throws.
  public func move(
    item itemID: UUID, _ side: PlaylistSide, item otherID: UUID, inPlaylist id: UUID
  ) async throws {
    try await changeItems(of: id, "Move in Playlist") { playlist, _ in
      var items = playlist.orderedItems
      let item = items.remove(at: try Self.place(of: itemID, in: items))
      if itemID == otherID { return }
      let target = try Self.place(of: otherID, in: items)
      items.insert(item, at: side == .before ? target : target + 1)
      Self.renumber(items)
    }
  }

  private static func place(of id: UUID, in items: [PlaylistItem]) throws -> Int {
    guard let place = items.firstIndex(where: { $0.id == id }) else { throw missingItem }
    return place
  }

  private static var missingItem: KanoraError {
    KanoraError(.notFound, "The playlist no longer contains this item.")
  }

  private static func items(_ ids: [UUID], of playlist: Playlist) throws -> [PlaylistItem] {
    let known = Dictionary(playlist.orderedItems.map { ($0.id, $0) }) { first, _ in first }
    return try Set(ids).map { id in
      guard let item = known[id] else { throw missingItem }
      return item
    }
  }

  private static func checked(_ position: Int, _ count: Int) throws -> Int {
    guard (0..<count).contains(position) else {
      throw KanoraError(.badValue, "The playlist has no track at position \(position).")
    }
    return position
  }

  static func append(
    _ tracks: [UUID], to playlist: Playlist, at instant: Date, in context: NSManagedObjectContext
  ) throws {
    let known = try objects(Track.self, Array(Set(tracks)), in: context)
    let byID = Dictionary(known.map { ($0.id, $0) }) { first, _ in first }
    let start = playlist.items.count { !$0.isDeleted }
    for (offset, id) in tracks.enumerated() {
      let item = PlaylistItem(context: context)
      (item.position, item.addedAt) = (Int32(start + offset), instant)
      (item.playlist, item.track) = (playlist, byID[id])
    }
  }

  private func changeItems(
    of id: UUID, _ name: String,
    _ work: @escaping @Sendable (Playlist, NSManagedObjectContext) throws -> Void
  ) async throws {
    try await change(id, name) { playlist, context in
      guard !playlist.isSmart else {
        throw KanoraError(
          .badValue,
          "The tracks of a smart playlist are determined by its rules. Change the rules instead.")
      }
      try work(playlist, context)
    }
  }

  private func change(
    _ id: UUID, _ name: String,
    _ work: @escaping @Sendable (Playlist, NSManagedObjectContext) throws -> Void
  ) async throws {
    let instant = now()
    try await perform(name) { context in
      let playlist = try Self.object(Playlist.self, id, in: context)
      try work(playlist, context)
      if context.hasChanges { playlist.updatedAt = instant }
    }
  }
}
