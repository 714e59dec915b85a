import ForumHTML

/// The scraped contents of a page, by its kind.
///
/// A value independent of any store. To require a page of one kind, call one of the `expect…` functions, which throw the site's
/// own error if the page reports one.
public enum ScrapedPage: Sendable, Equatable {
  /// Posts of a thread.
  case thread(ThreadPage)
  /// A single post.
  case singlePost(SinglePostPage)
  /// Threads of a forum, or bookmarked threads.
  case threadList(ThreadListPage)
  /// The forum index.
  case index(ForumIndex)
  /// An error page of the site.
  case error(ForumErrorPage)
  /// A confirmation of an action.
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
  /// A search form.
  case searchForm(SearchFormPage)
  /// Search results.
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

  /// Whether the site created the page for a logged-in reader; nil for a kind that does not show it.
  public var isForMember: Bool? {
    switch self {
    case .index(let index): index.user != nil
    case .thread(let page): page.isForMember
    case .threadList(let list): list.isForMember
    case .profile(let page): page.isForMember
    default: nil
    }
  }

  /// Returns the page as a page of a thread.
  ///
  /// - Returns: The page of the thread.
  /// - Throws: `ForumErrorPage` if the site reports an error; otherwise `PageError` with code `.unexpectedKind`.
  public func expectThread() throws -> ThreadPage {
    if case .thread(let page) = self { return page }
    throw refusal(of: "a thread page")
  }

  /// Returns the page as a thread list.
  ///
  /// - Returns: The thread list of a forum or of the bookmarks.
  /// - Throws: `ForumErrorPage` if the site reports an error; otherwise `PageError` with code `.unexpectedKind`.
  public func expectThreadList() throws -> ThreadListPage {
    if case .threadList(let page) = self { return page }
    throw refusal(of: "a thread list")
  }

  /// Returns the page as the forum index.
  ///
  /// - Returns: The index.
  /// - Throws: `ForumErrorPage` if the site reports an error; otherwise `PageError` with code `.unexpectedKind`.
  public func expectIndex() throws -> ForumIndex {
    if case .index(let index) = self { return index }
    throw refusal(of: "the forum index")
  }

  /// Returns the page as the texts of the announcements.
  ///
  /// - Returns: The announcements.
  /// - Throws: `ForumErrorPage` if the site reports an error; otherwise `PageError` with code `.unexpectedKind`.
  public func expectAnnouncements() throws -> AnnouncementsPage {
    if case .announcements(let page) = self { return page }
    throw refusal(of: "a page of announcements")
  }

  /// Returns the page as a folder of private messages.
  ///
  /// - Returns: The folder.
  /// - Throws: `ForumErrorPage` if the site reports an error; otherwise `PageError` with code `.unexpectedKind`.
  public func expectMessageList() throws -> MessageListPage {
    if case .messageList(let page) = self { return page }
    throw refusal(of: "a list of messages")
  }

  /// Returns the page as a private message.
  ///
  /// - Returns: The message.
  /// - Throws: `ForumErrorPage` if the site reports an error; otherwise `PageError` with code `.unexpectedKind`.
  public func expectMessage() throws -> MessagePage {
    if case .message(let page) = self { return page }
    throw refusal(of: "a private message")
  }

  /// Returns the page as a member's profile.
  ///
  /// - Returns: The profile.
  /// - Throws: `ForumErrorPage` if the site reports an error; otherwise `PageError` with code `.unexpectedKind`.
  public func expectProfile() throws -> ProfilePage {
    if case .profile(let page) = self { return page }
    throw refusal(of: "a profile")
  }

  /// Returns the page as a list of punishments.
  ///
  /// - Returns: The list.
  /// - Throws: `ForumErrorPage` if the site reports an error; otherwise `PageError` with code `.unexpectedKind`.
  public func expectPunishments() throws -> PunishmentsPage {
    if case .punishments(let page) = self { return page }
    throw refusal(of: "a list of punishments")
  }

  /// Returns the page as a form.
  ///
  /// - Parameter kind: The required form.
  /// - Returns: The form page.
  /// - Throws: `ForumErrorPage` if the site reports an error; otherwise `PageError` with code `.unexpectedKind`.
  public func expectForm(_ kind: PageKind) throws -> FormPage {
    if case .form(let page) = self, page.kind == kind { return page }
    throw refusal(of: kind.rawValue)
  }

  /// Returns the error to throw if the page is not of the required kind.
  ///
  /// - Parameter wanted: A description of the required kind.
  /// - Returns: The site's error, or an error that names the kind of the page.
  public func refusal(of wanted: String) -> any Error {
    if case .error(let error) = self { return error }
    return PageError(
      .unexpectedKind, "The page is of the kind \(kind.rawValue), but \(wanted) was expected.",
      marker: kind.rawValue)
  }
}
