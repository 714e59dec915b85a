import Foundation
import KanoraCore
import StoreSharing
import WebPages

/// The parts that all pages of the library share: the frame, the live lists, and the undo bar.
///
/// A value over shared state; usable from any thread.
struct PageParts: Sendable {
  let store: KanoraStore
  let feed: LibraryFeed
  let desk: LibraryDesk
  let lists: LiveLists

  private static let frame = PageFrame(
    name: "Kanora",
    links: [
      .init("Music", to: "/"), .init("Search", to: "/search"),
      .init("Playlists", to: "/playlists"), .init("Check", to: "/check"),
      .init("Statistics", to: "/stats"),
    ])

  // MARK: Pages

  /// Returns a page.
  ///
  /// - Parameters:
  ///   - title: The heading.
  ///   - path: The path of the navigation entry to highlight.
  ///   - back: The page's address, which forms return to.
  ///   - shown: The lists that the page keeps up to date.
  ///   - status: The HTTP status.
  ///   - content: The content below the heading.
  func page(
    _ title: String, path: String = "", back: String, _ shown: [ShownList] = [], status: Int = 200,
    @MarkupBuilder content: () -> Markup
  ) async throws -> WebAnswer {
    let steps = try await steps()
    let markup = Self.frame.page(
      title, path: path, events: ShownList.events(of: shown + [steps])
    ) {
      content()
      Player.markup
    } footer: {
      // Changes that the lists do not show become visible when the page is reloaded.
      TrackRows.rowForm("steps-form", to: "/undo", back: back, isQuiet: !shown.isEmpty)
      element(.ul, .id(steps.list), .class("steps")) { steps.rows }
    }
    return .page(markup, status: status)
  }

  /// Returns an error page.
  static func problem(title: String, reason: String) -> Markup {
    frame.problem(title, reason, home: "Back to the music")
  }

  /// Returns the page for an object that the library does not contain.
  static func missing(_ what: String) -> WebAnswer {
    .page(
      problem(title: "No such \(what)", reason: "The library does not contain this \(what)."),
      status: 404)
  }

  /// Returns the page for a request that the library rejects.
  static func refusal(_ error: KanoraError) -> WebAnswer {
    let (title, status) =
      switch error.code {
      case .notFound: ("Not found", 404)
      case .badValue, .badRules, .badFile: ("Not possible", 400)
      case .nothingToUndo: ("Nothing to do", 409)
      case .changedElsewhere: ("Not possible", 409)
      case .missingStore, .notOpened, .notMigrated, .diskFull: ("No library", 500)
      }
    return .page(problem(title: title, reason: error.message), status: status)
  }

  /// Returns the page for a change that the store could not save.
  ///
  /// - Parameters:
  ///   - error: The error of the store.
  ///   - isUndo: Whether the request was to undo a step, which stays the next one to undo.
  static func unsaved(_ error: CocoaError, isUndo: Bool) -> WebAnswer {
    let advice = isUndo ? "use Undo again" : "use Redo to make the change again"
    return .page(
      problem(
        title: "Not saved",
        reason: "The change could not be saved, and the library was not changed. "
          + "After you resolve the problem, \(advice). The store reported the following error: \(error.localizedDescription)"
      ),
      status: 500)
  }

  // MARK: Lists

  /// Returns a list for pages.
  ///
  /// - Parameters:
  ///   - rows: The rows of the list.
  ///   - name: The id of the list's element.
  ///   - key: A key that distinguishes lists with the same name and different rows.
  ///   - markup: A function that returns the elements of the rows.
  func show<Row: Sendable>(
    _ rows: FollowedRows<Row>, _ name: String, key: String,
    _ markup: @escaping @Sendable ([Row]) -> [LiveRow]
  ) async throws -> ShownList {
    // The addresses of event streams contain the keys of all lists; a long key is replaced by its hash.
    let short = key.utf8.count <= 200 ? PagePath.part(key) : "\(UInt(bitPattern: key.hashValue))"
    return try await lists.show("\(name)/\(short)") {
      LiveList(name, changes: rows.changes) { markup(try await rows.load()) }
    }
  }

  /// Returns the undo and redo buttons.
  private func steps() async throws -> ShownList {
    let (store, desk) = (feed.store, desk)
    return try await lists.show("steps") {
      LiveList("steps") {
        store.changes(ofEntities: ["Track", "Album", "Artist", "Playlist", "PlaylistItem"])
      } load: {
        let steps = await desk.steps()
        return [
          Self.step("undo", "Undo", steps.undoName), Self.step("redo", "Redo", steps.redoName),
        ]
      }
    }
  }

  private static func step(_ path: String, _ verb: String, _ name: String?) -> LiveRow {
    let id = "step-\(path)"
    let markup = element(.li, .id(id)) {
      element(
        .button, .class("quiet"), Attribute("form", "steps-form"),
        Attribute("formaction", "/\(path)"), name == nil ? Attribute(flag: "disabled") : nil
      ) { name.map { "\(verb) \($0)" } ?? verb }
    }
    return LiveRow(id: id, markup: markup)
  }
}

extension WebRequest {
  /// The page of this site that a form returns to; the home page if there is none, or if the address belongs to another site.
  var back: String {
    let text = form["back"] ?? query["back"] ?? ""
    let isOwn = text.hasPrefix("/") && !["/", "\\"].contains(text.dropFirst().first)
    return isOwn ? text : "/"
  }

  /// The tracks that a form contains as `track-ID` fields, in page order; those of an address are sorted by id.
  var trackIDs: [UUID] {
    let names = method == .post ? fieldNames : query.keys.sorted()
    var known: Set<UUID> = []
    return names.filter { $0.hasPrefix("track-") }
      .compactMap { UUID(uuidString: String($0.dropFirst(6))) }
      .filter { known.insert($0).inserted }
  }
}
