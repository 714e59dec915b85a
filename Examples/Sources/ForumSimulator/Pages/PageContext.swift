/// The input for rendering a page: the site at one moment, its reader and the markup.
struct PageContext {
  static let siteName = "The Lamplight Forums"

  let state: SiteState
  let viewer: SiteUser?
  let markup: Markup

  var clock: SiteClock {
    SiteClock(usesTwelveHours: viewer?.usesTwelveHourClock ?? false)
  }

  /// Returns the address of an image; early pages include the scheme, later pages do not.
  func image(_ path: String) -> String {
    (markup == .revision2012 ? "http:" : "") + "//images.lamplight.example/" + path
  }

  /// The key that the site requires in every form of its reader.
  var formKey: String {
    viewer.map { FormKey.key(of: $0.id, in: state) } ?? ""
  }

  /// Returns a hidden value that varies with the form and the site's time; the site accepts the same value more than once.
  func formCookie(for address: String) -> String {
    FormKey.cookie(of: address, in: state)
  }

  func seenCount(of thread: SiteThread) -> Int? {
    viewer.flatMap { state.seenCount(ofThread: thread.id, by: $0.id) }
  }

  func isIgnored(_ post: SitePost) -> Bool {
    viewer.flatMap { state.readers[$0.id] }?.ignoredIDs.contains(post.authorID) ?? false
  }

  func bookmark(of thread: SiteThread) -> Int? {
    viewer.flatMap { state.readers[$0.id]?.bookmarks[thread.id] }
  }
}
