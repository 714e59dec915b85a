import Foundation
import SwiftData

// The forum as SwiftData models.

enum Models {
  @Model
  final class Forum {
    var forumID: String?
    var name: String?
    var index: Int32 = 0
    var canPost = false
    var lastRefresh: Date?
    var parentForum: Forum?
    @Relationship(inverse: \Forum.parentForum) var childForums: [Forum] = []
    @Relationship(inverse: \Thread.forum) var threads: [Thread] = []

    init() {}
  }

  @Model
  final class Thread {
    var threadID: String?
    var title: String?
    var closed = false
    var sticky = false
    var totalReplies: Int32 = 0
    var rating: Float = 0
    var lastPostDate: Date?
    var forum: Forum?
    var author: User?
    @Relationship(inverse: \Post.thread) var posts: [Post] = []

    init() {}
  }

  @Model
  final class User {
    var userID: String?
    var username: String?
    var administrator = false
    var regdate: Date?
    @Relationship(inverse: \Post.author) var posts: [Post] = []
    @Relationship(inverse: \Thread.author) var threads: [Thread] = []

    init() {}
  }

  @Model
  final class Post {
    var postID: String?
    var title: String?
    var innerHTML: String?
    var editable = false
    var ignored = false
    var threadIndex: Int32 = 0
    var score = 0.0
    var postDate: Date?
    var thread: Thread?
    var author: User?

    init() {}
  }
}
