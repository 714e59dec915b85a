/// The stored reading state of one account.
struct Reader: Codable, Sendable, Hashable {
  /// The read markers by thread: the number of seen posts from the start.
  var seenCounts: [Int: Int] = [:]
  /// The bookmark colors, 0 to 5, by thread.
  var bookmarks: [Int: Int] = [:]
  /// The votes by thread.
  var votes: [Int: Int] = [:]
  /// The ignored accounts, in the order of the list.
  var ignoredIDs: [Int] = []
  /// The account's own message folders.
  var folders: [SiteFolder] = []
  /// The date of the account's last search; `nil` if it has never searched.
  var lastSearchDate: Int?
  /// The number of the session, which changes when a session ends and thereby invalidates all earlier cookies.
  var sessionNumber = 0
}
