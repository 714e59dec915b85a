import Foundation
import OpenBuiltInStores

// The classes of the forum. The expansions of the macros `@ManagedObject` and `@Managed` are written
// out, because this program is built without macros.

final class Thread: NSManagedObject {
  override class var __validatesMore: Bool {
    self != Thread.self || NSManagedObject.__validatesMore
  }

  private nonisolated static let __key_title = __ManagedKey("title")
  var title: String? {
    get { (String?).__read(self, Self.__key_title) }
    set { (String?).__write(self, Self.__key_title, newValue) }
  }
  private nonisolated static let __key_posts = __ManagedKey("posts")
  var posts: Set<Post> {
    get { Set<Post>.__read(self, Self.__key_posts) }
    set { Set<Post>.__write(self, Self.__key_posts, newValue) }
  }

  func addToPosts(_ value: Post) { __addMember(value, "posts") }
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
}

final class User: NSManagedObject {
  override class var __validatesMore: Bool {
    self != User.self || NSManagedObject.__validatesMore
  }
}

final class Forum: NSManagedObject {
  override class var __validatesMore: Bool {
    self != Forum.self || NSManagedObject.__validatesMore
  }
}
