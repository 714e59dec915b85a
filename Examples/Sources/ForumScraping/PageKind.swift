/// The kinds of pages that the scraper supports, named as in reports.
public enum PageKind: String, Sendable, CaseIterable {
  /// Posts of a thread.
  case threadPage = "thread-page"
  /// A single post.
  case singlePost = "single-post"
  /// Threads of a forum.
  case threadList = "thread-list"
  /// Bookmarked threads.
  case bookmarkList = "bookmark-list"
  /// The tree of forums.
  case forumIndex = "forum-index"
  /// An error page of the site.
  case errorPage = "error-page"
  /// A confirmation of an action.
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
  /// A form for a private message.
  case composeForm = "compose-form"
  /// A form for editing message folders.
  case editFoldersForm = "edit-folders-form"
  /// A form for a reply.
  case replyForm = "reply-form"
  /// A form for a new thread.
  case newThreadForm = "new-thread-form"
  /// A form for editing a post.
  case editPostForm = "edit-post-form"
  /// The ignore list.
  case ignoreListForm = "ignore-list-form"
  /// A form for editing the reader's profile.
  case editProfileForm = "edit-profile-form"
  /// The login form.
  case logInForm = "log-in-form"
  /// A form for reporting a post.
  case reportForm = "report-form"
  /// A search form.
  case searchForm = "search-form"
  /// Search results.
  case searchResults = "search-results"
}
