public import CoreData
import ForumHTML
public import ForumScraping

/// Brings what was read from a page into a context, by the importer of its kind.
///
/// Stateless. Call on the context's queue; nothing is saved, so that one page is one save.
public enum PageImporter {
  /// Brings a page into a context.
  ///
  /// - Parameters:
  ///   - page: What was read.
  ///   - context: Where its objects are found or made.
  /// - Returns: How much is to be saved.
  /// - Throws: `ForumErrorPage` when the site reports an error, `PageError` with `.unexpectedKind`
  ///   for a kind that is not stored, or what a fetch throws.
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
    default: throw page.refusal(of: "a page whose content is stored")
    }
    return ImportSummary(pendingIn: context)
  }
}
