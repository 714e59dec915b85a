/// The kinds of pages that can be read, by the names used in reports.
public enum PageKind: String, Sendable, CaseIterable {
  /// Posts of a thread.
  case threadPage = "thread-page"
  /// One post alone.
  case singlePost = "single-post"
  /// Threads of a forum.
  case threadList = "thread-list"
  /// Bookmarked threads.
  case bookmarkList = "bookmark-list"
  /// The tree of forums.
  case forumIndex = "forum-index"
  /// An error the site reports.
  case errorPage = "error-page"
  /// Something was done.
  case redirectPage = "redirect-page"
  /// Bodies of announcements.
  case announcements
  /// A member's profile.
  case profile
  /// A list of punishments.
  case punishments
  /// A folder of private messages.
  case messageList = "private-message-list"
  /// One private message.
  case message = "private-message"
  /// A private message to write.
  case composeForm = "compose-form"
  /// Message folders to edit.
  case editFoldersForm = "edit-folders-form"
  /// A reply to write.
  case replyForm = "reply-form"
  /// A thread to begin.
  case newThreadForm = "new-thread-form"
  /// A post to edit.
  case editPostForm = "edit-post-form"
  /// The ignore list.
  case ignoreListForm = "ignore-list-form"
  /// The reader's profile to edit.
  case editProfileForm = "edit-profile-form"
  /// The log-in.
  case logInForm = "log-in-form"
  /// A post to report.
  case reportForm = "report-form"
  /// A search to begin.
  case searchForm = "search-form"
  /// Results of a search.
  case searchResults = "search-results"
}
