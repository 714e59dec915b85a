import Foundation
import OpenBuiltInStores

// The classes of the forum, which `graph-bench` and `hot-paths` share through a symbolic link, so that their accessors are compiled into the
// programs. The expansions of the macros `@ManagedObject` and `@Managed` are written out, because the macros' dependencies take much
// longer to build than the programs.

final class Forum: NSManagedObject {
  override class var __validatesMore: Bool {
    self != Forum.self || NSManagedObject.__validatesMore
  }

  private nonisolated static let __key_forumID = __ManagedKey("forumID")
  var forumID: String? {
    get { (String?).__read(self, Self.__key_forumID) }
    set { (String?).__write(self, Self.__key_forumID, newValue) }
  }

  private nonisolated static let __key_name = __ManagedKey("name")
  var name: String? {
    get { (String?).__read(self, Self.__key_name) }
    set { (String?).__write(self, Self.__key_name, newValue) }
  }

  private nonisolated static let __key_index = __ManagedKey("index")
  var index: Int32 {
    get { Int32.__read(self, Self.__key_index) }
    set { Int32.__write(self, Self.__key_index, newValue) }
  }
}

final class Thread: NSManagedObject {
  override class var __validatesMore: Bool {
    self != Thread.self || NSManagedObject.__validatesMore
  }

  private nonisolated static let __key_threadID = __ManagedKey("threadID")
  var threadID: String? {
    get { (String?).__read(self, Self.__key_threadID) }
    set { (String?).__write(self, Self.__key_threadID, newValue) }
  }

  private nonisolated static let __key_title = __ManagedKey("title")
  var title: String? {
    get { (String?).__read(self, Self.__key_title) }
    set { (String?).__write(self, Self.__key_title, newValue) }
  }

  private nonisolated static let __key_closed = __ManagedKey("closed")
  var closed: Bool {
    get { Bool.__read(self, Self.__key_closed) }
    set { Bool.__write(self, Self.__key_closed, newValue) }
  }

  private nonisolated static let __key_sticky = __ManagedKey("sticky")
  var sticky: Bool {
    get { Bool.__read(self, Self.__key_sticky) }
    set { Bool.__write(self, Self.__key_sticky, newValue) }
  }

  private nonisolated static let __key_totalReplies = __ManagedKey("totalReplies")
  var totalReplies: Int32 {
    get { Int32.__read(self, Self.__key_totalReplies) }
    set { Int32.__write(self, Self.__key_totalReplies, newValue) }
  }

  private nonisolated static let __key_rating = __ManagedKey("rating")
  var rating: Float {
    get { Float.__read(self, Self.__key_rating) }
    set { Float.__write(self, Self.__key_rating, newValue) }
  }

  private nonisolated static let __key_lastPostDate = __ManagedKey("lastPostDate")
  var lastPostDate: Date? {
    get { (Date?).__read(self, Self.__key_lastPostDate) }
    set { (Date?).__write(self, Self.__key_lastPostDate, newValue) }
  }

  private nonisolated static let __key_forum = __ManagedKey("forum")
  var forum: Forum? {
    get { (Forum?).__read(self, Self.__key_forum) }
    set { (Forum?).__write(self, Self.__key_forum, newValue) }
  }

  private nonisolated static let __key_author = __ManagedKey("author")
  var author: User? {
    get { (User?).__read(self, Self.__key_author) }
    set { (User?).__write(self, Self.__key_author, newValue) }
  }

  private nonisolated static let __key_posts = __ManagedKey("posts")
  var posts: Set<Post> {
    get { Set<Post>.__read(self, Self.__key_posts) }
    set { Set<Post>.__write(self, Self.__key_posts, newValue) }
  }

  func addToPosts(_ value: Post) { __addMember(value, "posts") }
}

final class User: NSManagedObject {
  override class var __validatesMore: Bool {
    self != User.self || NSManagedObject.__validatesMore
  }

  private nonisolated static let __key_userID = __ManagedKey("userID")
  var userID: String? {
    get { (String?).__read(self, Self.__key_userID) }
    set { (String?).__write(self, Self.__key_userID, newValue) }
  }

  private nonisolated static let __key_username = __ManagedKey("username")
  var username: String? {
    get { (String?).__read(self, Self.__key_username) }
    set { (String?).__write(self, Self.__key_username, newValue) }
  }
}

final class Post: NSManagedObject {
  override class var __validatesMore: Bool {
    self != Post.self || NSManagedObject.__validatesMore
  }

  private nonisolated static let __key_postID = __ManagedKey("postID")
  var postID: String? {
    get { (String?).__read(self, Self.__key_postID) }
    set { (String?).__write(self, Self.__key_postID, newValue) }
  }

  private nonisolated static let __key_title = __ManagedKey("title")
  var title: String? {
    get { (String?).__read(self, Self.__key_title) }
    set { (String?).__write(self, Self.__key_title, newValue) }
  }

  private nonisolated static let __key_innerHTML = __ManagedKey("innerHTML")
  var innerHTML: String? {
    get { (String?).__read(self, Self.__key_innerHTML) }
    set { (String?).__write(self, Self.__key_innerHTML, newValue) }
  }

  private nonisolated static let __key_editable = __ManagedKey("editable")
  var editable: Bool {
    get { Bool.__read(self, Self.__key_editable) }
    set { Bool.__write(self, Self.__key_editable, newValue) }
  }

  private nonisolated static let __key_ignored = __ManagedKey("ignored")
  var ignored: Bool {
    get { Bool.__read(self, Self.__key_ignored) }
    set { Bool.__write(self, Self.__key_ignored, newValue) }
  }

  private nonisolated static let __key_threadIndex = __ManagedKey("threadIndex")
  var threadIndex: Int32 {
    get { Int32.__read(self, Self.__key_threadIndex) }
    set { Int32.__write(self, Self.__key_threadIndex, newValue) }
  }

  private nonisolated static let __key_score = __ManagedKey("score")
  var score: Double {
    get { Double.__read(self, Self.__key_score) }
    set { Double.__write(self, Self.__key_score, newValue) }
  }

  private nonisolated static let __key_postDate = __ManagedKey("postDate")
  var postDate: Date? {
    get { (Date?).__read(self, Self.__key_postDate) }
    set { (Date?).__write(self, Self.__key_postDate, newValue) }
  }

  private nonisolated static let __key_thread = __ManagedKey("thread")
  var thread: Thread? {
    get { (Thread?).__read(self, Self.__key_thread) }
    set { (Thread?).__write(self, Self.__key_thread, newValue) }
  }

  private nonisolated static let __key_author = __ManagedKey("author")
  var author: User? {
    get { (User?).__read(self, Self.__key_author) }
    set { (User?).__write(self, Self.__key_author, newValue) }
  }
}
