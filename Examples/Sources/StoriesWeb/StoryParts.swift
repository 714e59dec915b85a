import Foundation
import StoriesCore
import WebPages

/// The parts that all pages of the reading application share: the frame, the live lists, and the library.
///
/// > Concurrency: A value type over shared state; usable on any thread.
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

  /// Returns a page without live updates.
  static func plain(
    _ title: String, path: String = "", @MarkupBuilder content: () -> Markup
  ) -> Markup {
    frame.page(title, path: path, content: content)
  }

  /// Returns a page with a live list.
  func live(
    _ title: String, path: String = "", _ shown: ShownList, @MarkupBuilder content: () -> Markup
  ) -> WebAnswer {
    .page(
      Self.frame.page(title, path: path, events: ShownList.events(of: [shown]), content: content))
  }

  /// Returns a list that is read again after each save of the library.
  func show(
    _ name: String, key: String, _ load: @escaping @Sendable () async throws -> [LiveRow]
  ) async throws -> ShownList {
    let store = library.store
    return try await lists.show(key) {
      LiveList(name, changes: { store.changes() }, load: load)
    }
  }

  /// Returns the page for an error.
  static func problem(title: String, reason: String) -> Markup {
    frame.problem(title, reason, home: "Go to the shelf")
  }

  /// Returns the message of an error, without its code.
  static func sentence(_ error: StoriesError) -> String { error.message }

  /// Returns a hash of texts as a string: 64-bit FNV-1a of the texts with their lengths.
  ///
  /// A form sends the hash back, which reveals a change by another window in the meantime.
  static func revision(of texts: [String]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for text in texts {
      for byte in "\(text.utf8.count):\(text)".utf8 {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
      }
    }
    return String(hash, radix: 16)
  }

  /// The choices for the age group.
  static let ages = AgeGroup.allCases.map { (value: "\($0.rawValue)", text: name(of: $0)) }

  /// Returns the name of an age group.
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
  /// Returns a field of the form, with the line endings of the library's texts.
  func typed(_ name: String) -> String {
    (form[name] ?? "").replacing("\r\n", with: "\n")
  }

  /// Returns a single-line field of the form. If the reader has not changed the field, the result is the former value, although browsers
  /// remove its line breaks.
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - former: The value before the edit; nil for none.
  func typed(_ name: String, from former: String?) -> String {
    let typed = typed(name)
    guard let former else { return typed }
    let shown = former.unicodeScalars.filter { $0 != "\n" && $0 != "\r" }
    return typed == String(String.UnicodeScalarView(shown)) ? former : typed
  }
}
