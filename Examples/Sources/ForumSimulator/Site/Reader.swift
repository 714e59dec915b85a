/// What the site remembers about one account's reading.
struct Reader: Codable, Sendable, Hashable {
  /// Read marker by thread: how many posts from the start count as seen.
  var seenCounts: [Int: Int] = [:]
  /// Bookmark colour, 0 to 5, by thread.
  var bookmarks: [Int: Int] = [:]
  /// Vote by thread.
  var votes: [Int: Int] = [:]
  /// The ignored accounts, in the order of the list.
  var ignoredIDs: [Int] = []
  /// The folders for messages that the account has made itself.
  var folders: [SiteFolder] = []
  /// When the account last searched; `nil` when it never did.
  var lastSearchDate: Int?
  /// Changes when the session is ended, which makes the cookies handed out before it worthless.
  var sessionNumber = 0
}
