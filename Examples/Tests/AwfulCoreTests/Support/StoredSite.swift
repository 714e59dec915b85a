import AwfulCore
import CoreData
import ForumSimulator
import OpenPersistenceKit

/// The contents of a store or of the site in one comparable form.
struct StoredSite: Equatable {
  struct Forum: Equatable {
    let id: String
    let name: String
    let parentID: String?
  }

  struct Thread: Equatable {
    let id: String
    let title: String
    let forumID: String?
    let author: String?
    let tag: String?
    let replies: Int
    let seen: Int
    let unread: Bool
    let isSticky: Bool
    let isClosed: Bool
    let bookmark: Int?
    let votes: Int
    let lastPoster: String?
    let lastPostDate: Int?
    let posts: [Post]
  }

  struct Post: Equatable {
    let id: String
    let index: Int
    let author: String?
    let date: Int?
  }

  var groups: [String]
  var forums: [Forum]
  var threads: [Thread]
  var announcements: [String]

  /// The contents of the site.
  init(_ truth: SiteTruth) {
    let groups = truth.forums.filter(\.isGroup)
    self.groups = groups.map(\.id)
    forums = truth.forums.filter { !$0.isGroup }.map { forum in
      let isTop = groups.contains { $0.id == forum.parentID }
      return Forum(id: forum.id, name: forum.title, parentID: isTop ? nil : forum.parentID)
    }
    threads = truth.threads.map { Self.thread($0) }.sorted { $0.id < $1.id }
    announcements = truth.announcements
  }

  private static func thread(_ thread: SiteTruth.Thread) -> Thread {
    Thread(
      id: thread.id, title: thread.title, forumID: thread.forumID, author: thread.author,
      tag: thread.tag, replies: thread.replies, seen: thread.seen ?? 0,
      unread: (thread.unread ?? 0) > 0, isSticky: thread.isSticky, isClosed: thread.isClosed,
      bookmark: thread.bookmark, votes: thread.ratingInHundredths == nil ? 0 : thread.votes,
      lastPoster: thread.lastPoster, lastPostDate: minute(thread.lastPostDate),
      posts: thread.posts.map {
        Post(id: $0.id, index: $0.index, author: $0.author, date: minute($0.date))
      })
  }

  /// Pages print no seconds.
  private static func minute(_ seconds: Int) -> Int { seconds / 60 * 60 }

  /// The site's contents in a store.
  init(_ store: ForumStore) throws {
    self = try store.performBatchOperation { context in try StoredSite(in: context) }
  }

  private init(in context: NSManagedObjectContext) throws {
    func all<Entity: NSManagedObject>(_ key: String, _: Entity.Type) throws -> [Entity] {
      let request: NSFetchRequest<Entity> = Entity.fetchRequest()
      request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
      return try context.fetch(request)
    }
    groups = try all("index", ForumGroup.self).map(\.groupID)
    forums = try all("index", AwfulCore.Forum.self).map {
      Forum(id: $0.forumID, name: $0.name ?? "", parentID: $0.parentForum?.forumID)
    }
    threads = try all("threadID", ForumThread.self).map { Self.thread($0) }
    announcements = try all("listIndex", Announcement.self).map(\.title)
  }

  private static func thread(_ thread: ForumThread) -> Thread {
    Thread(
      id: thread.threadID, title: thread.title ?? "", forumID: thread.forum?.forumID,
      author: thread.author?.username, tag: thread.threadTag?.imageName,
      replies: Int(thread.totalReplies), seen: Int(thread.seenPosts),
      unread: thread.anyUnreadPosts, isSticky: thread.sticky, isClosed: thread.closed,
      bookmark: thread.bookmarked ? Int(thread.starCategory) : nil,
      votes: Int(thread.numberOfVotes), lastPoster: thread.lastPostAuthorName,
      lastPostDate: thread.lastPostDate.map { Int($0.timeIntervalSince1970) },
      posts: thread.posts.sorted { $0.threadIndex < $1.threadIndex }.map { post in
        Post(
          id: post.postID, index: Int(post.threadIndex), author: post.author?.username,
          date: post.postDate.map { Int($0.timeIntervalSince1970) })
      })
  }
}
