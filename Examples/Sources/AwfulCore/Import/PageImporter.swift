public import CoreData
import ForumHTML
public import ForumScraping

/// Imports a scraped page into a context with the importer for its kind.
///
/// Stateless. Call it on the context's queue. It does not save, so that the caller can store each page with one save.
public enum PageImporter {
  /// Imports a page into a context.
  ///
  /// - Parameters:
  ///   - page: The scraped page.
  ///   - context: The context in which objects are found or created.
  /// - Returns: The numbers of pending changes.
  /// - Throws: `ForumErrorPage` if the site reports an error, `PageError` with code `.unexpectedKind` if pages of this kind are not stored,
  ///   or any error from a fetch.
  @discardableResult
  public static func importPage(
    _ page: ScrapedPage, into context: NSManagedObjectContext, isPartOfPass: Bool = false
  ) throws -> ImportSummary {
    switch page {
    case .index(let index): try ForumIndexImporter(context).importIndex(index)
    case .threadList(let list):
      try ThreadListImporter(context, isPartOfPass: isPartOfPass).importList(list)
    case .thread(let posts): try PostsPageImporter(context).importPosts(posts)
    case .announcements(let page): try AnnouncementImporter(context).importBodies(page)
    case .messageList(let list): try MessageListImporter(context).importList(list)
    case .message(let page): try MessageImporter(context).importMessage(page)
    case .profile(let page): try ProfileImporter(context).importProfile(page)
    default: throw page.refusal(of: "a page that can be imported")
    }
    return ImportSummary(pendingIn: context)
  }
}
