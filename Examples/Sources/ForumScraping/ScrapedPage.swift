import ForumHTML

/// What was read from a page, by its kind.
///
/// A value without a store behind it. Use the `expect…` functions where one kind is needed: they
/// throw the site's own error when the page reports one.
public enum ScrapedPage: Sendable, Equatable {
  /// Posts of a thread.
  case thread(ThreadPage)
  /// One post.
  case singlePost(SinglePostPage)
  /// Threads of a forum, or bookmarks.
  case threadList(ThreadListPage)
  /// The forum index.
  case index(ForumIndex)
  /// An error the site reports.
  case error(ForumErrorPage)
  /// Something was done.
  case redirect(RedirectPage)
  /// Bodies of announcements.
  case announcements(AnnouncementsPage)
  /// A member's profile.
  case profile(ProfilePage)
  /// A list of punishments.
  case punishments(PunishmentsPage)
  /// A folder of private messages.
  case messageList(MessageListPage)
  /// One private message.
  case message(MessagePage)
  /// A form.
  case form(FormPage)
  /// A search to begin.
  case searchForm(SearchFormPage)
  /// Results of a search.
  case searchResults(SearchResultsPage)

  /// The kind of the page.
  public var kind: PageKind {
    switch self {
    case .thread: .threadPage
    case .singlePost: .singlePost
    case .threadList(let list): list.isBookmarks ? .bookmarkList : .threadList
    case .index: .forumIndex
    case .error: .errorPage
    case .redirect: .redirectPage
    case .announcements: .announcements
    case .profile: .profile
    case .punishments: .punishments
    case .messageList: .messageList
    case .message: .message
    case .form(let page): page.kind
    case .searchForm: .searchForm
    case .searchResults: .searchResults
    }
  }

  /// Whether the page was made for a reader who is logged in; nil for a kind that does not tell.
  public var isForMember: Bool? {
    switch self {
    case .index(let index): index.user != nil
    case .thread(let page): page.isForMember
    case .threadList(let list): list.isForMember
    case .profile(let page): page.isForMember
    default: nil
    }
  }

  /// The page as posts of a thread.
  ///
  /// - Returns: The posts page.
  /// - Throws: `ForumErrorPage` when the site reports an error, else `PageError` with
  ///   `.unexpectedKind`.
  public func expectThread() throws -> ThreadPage {
    if case .thread(let page) = self { return page }
    throw refusal(of: "a thread page")
  }

  /// The page as a thread list.
  ///
  /// - Returns: The thread list, of a forum or of the bookmarks.
  /// - Throws: `ForumErrorPage` when the site reports an error, else `PageError` with
  ///   `.unexpectedKind`.
  public func expectThreadList() throws -> ThreadListPage {
    if case .threadList(let page) = self { return page }
    throw refusal(of: "a thread list")
  }

  /// The page as the forum index.
  ///
  /// - Returns: The index.
  /// - Throws: `ForumErrorPage` when the site reports an error, else `PageError` with
  ///   `.unexpectedKind`.
  public func expectIndex() throws -> ForumIndex {
    if case .index(let index) = self { return index }
    throw refusal(of: "the forum index")
  }

  /// The page as a folder of private messages.
  ///
  /// - Returns: The folder.
  /// - Throws: `ForumErrorPage` when the site reports an error, else `PageError` with
  ///   `.unexpectedKind`.
  public func expectMessageList() throws -> MessageListPage {
    if case .messageList(let page) = self { return page }
    throw refusal(of: "a list of messages")
  }

  /// The page as a private message.
  ///
  /// - Returns: The message.
  /// - Throws: `ForumErrorPage` when the site reports an error, else `PageError` with
  ///   `.unexpectedKind`.
  public func expectMessage() throws -> MessagePage {
    if case .message(let page) = self { return page }
    throw refusal(of: "a private message")
  }

  /// The page as a member's profile.
  ///
  /// - Returns: The profile.
  /// - Throws: `ForumErrorPage` when the site reports an error, else `PageError` with
  ///   `.unexpectedKind`.
  public func expectProfile() throws -> ProfilePage {
    if case .profile(let page) = self { return page }
    throw refusal(of: "a profile")
  }

  /// The page as a list of punishments.
  ///
  /// - Returns: The list.
  /// - Throws: `ForumErrorPage` when the site reports an error, else `PageError` with
  ///   `.unexpectedKind`.
  public func expectPunishments() throws -> PunishmentsPage {
    if case .punishments(let page) = self { return page }
    throw refusal(of: "a list of punishments")
  }

  /// The page as a form.
  ///
  /// - Parameter kind: Which form is needed.
  /// - Returns: The form page.
  /// - Throws: `ForumErrorPage` when the site reports an error, else `PageError` with
  ///   `.unexpectedKind`.
  public func expectForm(_ kind: PageKind) throws -> FormPage {
    if case .form(let page) = self, page.kind == kind { return page }
    throw refusal(of: kind.rawValue)
  }

  /// The error to throw when this page was not what was needed.
  ///
  /// - Parameter wanted: What was needed, in words.
  /// - Returns: The site's error, or one that names the kind found.
  public func refusal(of wanted: String) -> any Error {
    if case .error(let error) = self { return error }
    return PageError(
      .unexpectedKind, "The page is \(kind.rawValue), not \(wanted).", marker: kind.rawValue)
  }
}
