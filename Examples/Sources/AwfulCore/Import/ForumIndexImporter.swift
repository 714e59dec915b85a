import CoreData
import ForumScraping
import OpenPersistenceKit

/// Imports the index: groups and forums with their places, and the users that it names.
///
/// The index is authoritative for the names, parents and groups of forums. Confined to its context.
struct ForumIndexImporter {
  private let context: NSManagedObjectContext

  init(_ context: NSManagedObjectContext) { self.context = context }

  /// Imports an index.
  func importIndex(_ index: ForumIndex) throws {
    let groups = try importGroups(index)
    let forums = try importForums(index, groups)
    showForums(of: index, forums)
    try hideMissingForums(of: index)
    try importUsers(index)
  }

  private func importGroups(_ index: ForumIndex) throws -> UpsertBatch<ForumGroup> {
    let ids = index.groups.map(\.id) + index.forums.compactMap(\.groupID)
    let groups = try UpsertBatch<ForumGroup>(in: context, key: "groupID", values: ids)
    for (position, listed) in index.groups.uniqued(by: \.id).enumerated() {
      let group = groups[listed.id]
      group.updateUnlessEmpty(\.name, to: listed.name)
      group.update(\.index, to: Int32(clamping: position))
    }
    return groups
  }

  private func importForums(
    _ index: ForumIndex, _ groups: UpsertBatch<ForumGroup>
  ) throws -> UpsertBatch<Forum> {
    let forums = try UpsertBatch<Forum>(
      in: context, key: "forumID", values: index.forums.map(\.id), prefetching: ["metadata"])
    for (position, listed) in index.forums.uniqued(by: \.id).enumerated() {
      let forum = forums[listed.id]
      forum.updateUnlessEmpty(\.name, to: listed.name)
      forum.update(\.index, to: Int32(clamping: position))
      forum.update(\.isHidden, to: false)
      forum.update(\.group, to: listed.groupID.map { groups[$0] })
      let parentID = listed.parentID.flatMap { $0 == listed.id ? nil : $0 }
      forum.update(\.parentForum, to: parentID.map { forums[$0] })
      if listed.groupID == ForumRules.archivesGroupID { forum.update(\.canPost, to: false) }
    }
    return forums
  }

  /// Shows forums at the top level, and forums below a visible forum that shows its children.
  private func showForums(of index: ForumIndex, _ forums: UpsertBatch<Forum>) {
    for listed in index.forums.uniqued(by: \.id) {
      guard let metadata = forums[listed.id].metadata else { continue }
      let above = listed.parentID.flatMap { forums.existing($0)?.metadata }
      let isShown = above.map { $0.showsChildrenInForumList && $0.visibleInForumList } ?? true
      metadata.update(\.visibleInForumList, to: isShown)
    }
  }

  /// Hides forums that the index no longer lists. Hidden forums keep their content.
  private func hideMissingForums(of index: ForumIndex) throws {
    let request: NSFetchRequest<Forum> = Forum.fetchRequest()
    request.predicate = NSPredicate(
      format: "index >= 0 AND isHidden == NO AND NOT (forumID IN %@)",
      argumentArray: [index.forums.map(\.id)])
    for forum in try context.fetch(request) { forum.isHidden = true }
  }

  private func importUsers(_ index: ForumIndex) throws {
    let moderators = index.forums.flatMap(\.moderators)
    let ids = moderators.map(\.userID) + [index.user?.userID].compactMap(\.self)
    let users = try UpsertBatch<User>(in: context, key: "userID", values: ids)
    for moderator in moderators {
      users[moderator.userID].updateUnlessEmpty(\.username, to: moderator.name)
    }
    if let reader = index.user { importReader(reader, users[reader.userID]) }
  }

  /// Imports the current reader. The title and registration date come from posts, which print them; the index only fills in missing ones.
  private func importReader(_ reader: CurrentUser, _ user: User) {
    user.updateUnlessEmpty(\.username, to: reader.name)
    if let takesMessages = reader.canReceivePrivateMessages {
      user.update(\.canReceivePrivateMessages, to: takesMessages)
    }
    if user.customTitleHTML == nil {
      user.updateIfPresent(\.customTitleHTML, to: reader.customTitleHTML)
    }
    if user.regdate == nil { user.updateIfPresent(\.regdate, to: reader.registered) }
  }
}
