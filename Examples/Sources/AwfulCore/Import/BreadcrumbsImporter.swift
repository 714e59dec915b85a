import CoreData
import ForumScraping
import OpenPersistenceKit

/// Finds or creates the forum of a page from its breadcrumbs: the group first, then the forums from the outermost to the innermost.
///
/// Fills in values that the index has not provided, and keeps the values that it has. Confined to its context.
struct BreadcrumbsImporter {
  private let context: NSManagedObjectContext

  init(_ context: NSManagedObjectContext) { self.context = context }

  /// Imports the breadcrumbs of a page and returns the page's forum.
  ///
  /// - Parameters:
  ///   - breadcrumbs: The group and the forums, outermost first.
  ///   - forumID: The id of the page's forum.
  /// - Returns: The forum, or nil if the page belongs to none.
  func importForum(_ breadcrumbs: [ForumReference], forumID: String?) throws -> Forum? {
    guard let forumID else { return nil }
    let chain = breadcrumbs.last?.id == forumID ? breadcrumbs.dropFirst() : []
    let forums = try UpsertBatch<Forum>(
      in: context, key: "forumID", values: chain.map(\.id) + [forumID])
    guard let first = breadcrumbs.first, !chain.isEmpty else { return forums[forumID] }
    // If every forum has a group, there is no need to fetch one.
    let isComplete = chain.allSatisfy { forums.existing($0.id)?.group != nil }
    let group = isComplete ? nil : try group(first)
    var above: Forum?
    for reference in chain.uniqued(by: \.id) {
      let forum = forums[reference.id]
      if forum.name == nil { forum.updateUnlessEmpty(\.name, to: reference.name) }
      if forum.group == nil { forum.group = group }
      if forum.parentForum == nil, let above { forum.parentForum = above }
      if first.id == ForumRules.archivesGroupID { forum.update(\.canPost, to: false) }
      above = forum
    }
    return forums[forumID]
  }

  private func group(_ reference: ForumReference) throws -> ForumGroup {
    let groups = try UpsertBatch<ForumGroup>(in: context, key: "groupID", values: [reference.id])
    let group = groups[reference.id]
    if group.name == nil { group.updateUnlessEmpty(\.name, to: reference.name) }
    return group
  }
}
