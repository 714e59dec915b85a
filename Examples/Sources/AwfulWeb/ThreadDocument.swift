public import AwfulCore
import ForumHTML
public import Foundation
import WebPages

/// A stored thread as a self-contained document.
public struct ThreadDocument: Sendable {
  private let thread: ThreadRow
  private let posts: [PostRow]
  private let base: URL?

  /// Reads a thread.
  ///
  /// - Parameters:
  ///   - id: The thread's id.
  ///   - lists: The lists of the store.
  ///   - base: The site's address, for links in posts; nil drops relative links.
  /// - Throws: `ForumStoreError` with code `.notFound` if the thread is not stored, or any error from the fetch.
  public init(ofThread id: String, in lists: ForumLists, base: URL? = nil) throws {
    thread = try lists.thread(id)
    posts = try lists.posts(threadID: id)
    self.base = base
  }

  /// The thread as HTML. Posts are cleaned, and the document loads no resources.
  public var html: String {
    let cleaner = HTMLCleaner(base: base)
    let body = element(.body) {
      element(.main) {
        element(.h1) { thread.title }
        element(.p) {
          "\(Wording.count(posts.count, "post")) of \(thread.postCount), by \(thread.authorName)"
        }
        element(.ol) { for post in posts { PostRows.row(post, ofThread: nil, cleaner).markup } }
      }
    }
    return Markup.document(title: thread.title, body: body) {
      element(
        .meta, Attribute("http-equiv", "Content-Security-Policy"), Attribute("content", Self.policy)
      )
      element(.style) { Markup(trusted: Self.style) }
    }.source
  }

  private static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
  private static let style = """
    :root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}main{max-width:66ch;margin:0 auto;padding:20px}\
    ol{list-style:none;padding:0}li{border-top:1px solid #8886;padding:12px 0}header{display:flex;gap:12px}\
    blockquote,.bbc-block{margin:8px 0;padding:4px 12px;border-left:4px solid #8886}
    """

  /// A post in the JSON export.
  private struct ExportedPost: Encodable {
    let id: String
    let place: Int
    let author: String
    let date: Date?
    let printedDate: String
    let html: String
  }

  private struct ExportedThread: Encodable {
    let id: String
    let title: String
    let author: String
    let postCount: Int
    let posts: [ExportedPost]
  }

  /// Returns the thread as JSON, with the bodies as the site sent them and dates in ISO 8601 format.
  ///
  /// - Throws: Any error from encoding.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return try encoder.encode(
      ExportedThread(
        id: thread.threadID, title: thread.title, author: thread.authorName,
        postCount: thread.postCount,
        posts: posts.map {
          ExportedPost(
            id: $0.postID, place: $0.place, author: $0.authorName, date: $0.date,
            printedDate: $0.printedDate,
            html: $0.bodyHTML)
        }))
  }
}
