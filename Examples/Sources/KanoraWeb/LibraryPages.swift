import CoreData
import Foundation
public import KanoraCore
import StoreSharing
public import WebPages

/// The pages of a music library: all content of its store, updated live.
///
/// A value over shared state; usable from any thread.
public struct LibraryPages: WebPageSource {
  private let parts: PageParts
  private let trackLists: TrackListPages
  private let albumLists: AlbumListPages
  private let tracks: TrackPages
  private let selection: SelectionForm
  private let editing: EditPages
  private let playlists: PlaylistPages
  private let smartPlaylists: SmartPlaylistPages
  private let health: HealthPages
  private let files: FilePages

  /// Creates the pages of a library.
  ///
  /// - Parameters:
  ///   - store: The library.
  ///   - lists: The live lists of the pages.
  public init(of store: KanoraStore, lists: LiveLists) {
    parts = PageParts(
      store: store, feed: LibraryFeed(StoreFeed(store)), desk: LibraryDesk(store), lists: lists)
    trackLists = TrackListPages(parts: parts)
    albumLists = AlbumListPages(parts: parts)
    tracks = TrackPages(parts: parts)
    editing = EditPages(parts: parts)
    selection = SelectionForm(parts: parts, editing: editing)
    playlists = PlaylistPages(parts: parts)
    smartPlaylists = SmartPlaylistPages(parts: parts)
    health = HealthPages(parts: parts)
    files = FilePages(parts: parts)
  }

  /// Answers a request. If the library rejects the request, the answer is a page with a matching status.
  ///
  /// - Throws: Any error that reading the store throws.
  public func answer(to request: WebRequest) async throws -> WebAnswer {
    do {
      if request.method == .get, request.path == ["events"] { return .events(request) }
      if let answer = try await step(request) { return answer }
      if let answer = try await files.answer(to: request) { return answer }
      if let answer = try await trackLists.answer(to: request) { return answer }
      if let answer = try await albumLists.answer(to: request) { return answer }
      if let answer = try await tracks.answer(to: request) { return answer }
      if let answer = try await selection.answer(to: request) { return answer }
      if let answer = try await editing.answer(to: request) { return answer }
      if let answer = try await smartPlaylists.answer(to: request) { return answer }
      if let answer = try await playlists.answer(to: request) { return answer }
      return try await health.answer(to: request) ?? PageParts.missing("page")
    } catch let error as KanoraError {
      return PageParts.refusal(error)
    } catch let error as CocoaError where request.method == .post {
      return PageParts.unsaved(error, isUndo: request.path == ["undo"])
    }
  }

  /// Undoes or redoes the last step.
  private func step(_ request: WebRequest) async throws -> WebAnswer? {
    switch (request.method, request.path) {
    case (.post, ["undo"]): try await parts.desk.undo()
    case (.post, ["redo"]): try await parts.desk.redo()
    default: return nil
    }
    return .redirect(request.back)
  }

  /// Returns an error page.
  public func page(title: String, reason: String) -> Markup {
    PageParts.problem(title: title, reason: reason)
  }
}
