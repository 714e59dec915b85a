import Foundation
import KanoraCore
import StoreSharing
import WebPages

/// What all pages of the library share: the frame, the live lists, and the bar with what can be undone.
///
/// A value over shared state; usable anywhere.
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

  /// A page.
  ///
  /// - Parameters:
  ///   - title: The heading.
  ///   - path: The path of the entry of the navigation that is marked.
  ///   - back: The page's own address, to which forms lead back.
  ///   - shown: The lists that the page keeps up to date.
  ///   - status: The status of the answer.
  ///   - content: What follows the heading.
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
      // What the lists do not show is seen when the page is loaded again.
      TrackRows.rowForm("steps-form", to: "/undo", back: back, isQuiet: !shown.isEmpty)
      element(.ul, .id(steps.list), .class("steps")) { steps.rows }
    }
    return .page(markup, status: status)
  }

  /// The page for something that went wrong.
  static func problem(title: String, reason: String) -> Markup {
    frame.problem(title, reason, home: "To the music")
  }

  /// The page for something that the library does not have.
  static func missing(_ what: String) -> WebAnswer {
    .page(
      problem(title: "No such \(what)", reason: "The library has no such \(what)."), status: 404)
  }

  /// The page for what the library refuses to do.
  static func refusal(_ error: KanoraError) -> WebAnswer {
    let (title, status) =
      switch error.code {
      case .notFound: ("Not found", 404)
      case .badValue, .badRules, .badFile: ("Not possible", 400)
      case .nothingToUndo: ("Nothing to do", 409)
      case .changedMeanwhile: ("Changed meanwhile", 409)
      case .missingStore, .notOpened, .notMigrated: ("No library", 500)
      }
    return .page(problem(title: title, reason: error.message), status: status)
  }

  /// The page for a change that the store did not take.
  static func unsaved(_ error: CocoaError) -> WebAnswer {
    .page(
      problem(
        title: "Not saved",
        reason: "The store did not take the change, and the library is as it was. "
          + "When the cause is gone, make the change again with Redo. The store says: \(error.localizedDescription)"
      ),
      status: 500)
  }

  // MARK: Lists

  /// A list that pages show.
  ///
  /// - Parameters:
  ///   - rows: What the list shows.
  ///   - name: The id of the list's element.
  ///   - key: What tells lists of one name apart that have different rows.
  ///   - markup: The rows' elements.
  func show<Row: Sendable>(
    _ rows: FollowedRows<Row>, _ name: String, key: String,
    _ markup: @escaping @Sendable ([Row]) -> [LiveRow]
  ) async throws -> ShownList {
    // The addresses of event streams have the keys of all lists; a long one is told by its hash.
    let short = key.utf8.count <= 200 ? PagePath.part(key) : "\(UInt(bitPattern: key.hashValue))"
    return try await lists.show("\(name)/\(short)") {
      LiveList(name, changes: rows.changes) { markup(try await rows.load()) }
    }
  }

  /// What can be undone and redone, as buttons.
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
  /// The page of the site that a form leads back to; the first one for none, and for the address of another site.
  var back: String {
    let text = form["back"] ?? query["back"] ?? ""
    let isOwn = text.hasPrefix("/") && !["/", "\\"].contains(text.dropFirst().first)
    return isOwn ? text : "/"
  }

  /// The tracks that a form names as fields `track-ID`, in the order of the page; those of an address in the order of their ids.
  var trackIDs: [UUID] {
    let names = method == .post ? fieldNames : query.keys.sorted()
    var known: Set<UUID> = []
    return names.filter { $0.hasPrefix("track-") }
      .compactMap { UUID(uuidString: String($0.dropFirst(6))) }
      .filter { known.insert($0).inserted }
  }
}
