import CoreData
import ForumScraping
import OpenPersistenceKit

/// Finds or makes the forum of a page by its breadcrumbs: first the group, then the forums down.
///
/// Fills in what the index has not told yet and leaves what it has. Confined to its context.
struct BreadcrumbsImporter {
  private let context: NSManagedObjectContext

  init(_ context: NSManagedObjectContext) { self.context = context }

  /// Imports the breadcrumbs of a page.
  ///
  /// - Parameters:
  ///   - breadcrumbs: The group and the forums, outermost first.
  ///   - forumID: The page's forum.
  /// - Returns: The forum; nil when the page is of none.
  func importForum(_ breadcrumbs: [ForumReference], forumID: String?) throws -> Forum? {
    guard let forumID else { return nil }
    let chain = breadcrumbs.last?.id == forumID ? breadcrumbs.dropFirst() : []
    let forums = try UpsertBatch<Forum>(
      in: context, key: "forumID", values: chain.map(\.id) + [forumID])
    guard let first = breadcrumbs.first, !chain.isEmpty else { return forums[forumID] }
    // Where all forums have their group, nothing is to be asked of it.
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
