import Foundation
import StoriesCore
import WebPages

/// What all pages of the reading application share: the frame, the live lists, and the library.
///
/// A value over shared state; usable anywhere.
struct StoryParts: Sendable {
  let library: StoryLibrary
  let lists: LiveLists

  private static let frame = PageFrame(
    name: "Stories",
    links: [
      .init("Shelf", to: "/"), .init("New story", to: "/new"),
      .init("Collections", to: "/collections"), .init("Achievements", to: "/achievements"),
      .init("Profile", to: "/profile"),
    ])

  /// A page that does not change.
  static func plain(
    _ title: String, path: String = "", @MarkupBuilder content: () -> Markup
  ) -> Markup {
    frame.page(title, path: path, content: content)
  }

  /// A page with a live list.
  func live(
    _ title: String, path: String = "", _ shown: ShownList, @MarkupBuilder content: () -> Markup
  ) -> WebAnswer {
    .page(
      Self.frame.page(title, path: path, events: ShownList.events(of: [shown]), content: content))
  }

  /// A list that is read again after each save of the library.
  func show(
    _ name: String, key: String, _ load: @escaping @Sendable () async throws -> [LiveRow]
  ) async throws -> ShownList {
    let store = library.store
    return try await lists.show(key) {
      LiveList(name, changes: { store.changes() }, load: load)
    }
  }

  /// The page for something that went wrong.
  static func problem(title: String, reason: String) -> Markup {
    frame.problem(title, reason, home: "To the shelf")
  }

  /// The sentences of an error, without its code.
  static func sentence(_ error: StoriesError) -> String { error.message }

  /// A number that is another one for other texts, as text: 64-bit FNV-1a of the texts with their lengths.
  ///
  /// A form sends it back, so that a change in another window since then is noticed.
  static func revision(of texts: [String]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for text in texts {
      for byte in "\(text.utf8.count):\(text)".utf8 {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
      }
    }
    return String(hash, radix: 16)
  }

  /// The age groups, to choose from.
  static let ages = AgeGroup.allCases.map { (value: "\($0.rawValue)", text: name(of: $0)) }

  /// An age group in words.
  static func name(of age: AgeGroup) -> String {
    switch age {
    case .threeToFive: "3 to 5 years"
    case .sixToEight: "6 to 8 years"
    case .nineToTwelve: "9 to 12 years"
    case .allAges: "All ages"
    }
  }
}

extension WebRequest {
  /// A field of the form, with line ends as texts of the library have them.
  func typed(_ name: String) -> String {
    (form[name] ?? "").replacing("\r\n", with: "\n")
  }
}
