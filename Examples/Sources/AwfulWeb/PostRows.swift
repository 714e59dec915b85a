import AwfulCore
import ForumHTML
import Foundation
import WebPages

/// The rows of a thread's posts.
enum PostRows {
  /// Returns the row of a post. The body and the author's title are cleaned, because they are the site's markup.
  ///
  /// - Parameters:
  ///   - post: The post.
  ///   - threadID: The id of the thread for replies; nil for a document without reply links and forms.
  ///   - isBookmarked: Whether the reader has bookmarked the post.
  ///   - pictures: The stored images; nil for a document, which shows no avatars and titles.
  ///   - cleaner: The cleaner for the body.
  static func row(
    _ post: PostRow, ofThread threadID: String?, isBookmarked: Bool = false,
    pictures: MemberPictures? = nil, _ cleaner: HTMLCleaner
  ) -> LiveRow {
    // The site uses the same anchor, so links to the post lead here.
    let id = "post\(post.postID)"
    let markup = element(
      .li, .id(id), .class(post.isSeen ? "post seen" : "post"),
      Attribute("data-place", "\(post.place)")
    ) {
      element(
        .article, Attribute("tabindex", "-1"), .label("Post \(post.place) by \(post.authorName)")
      ) {
        header(of: post, ofThread: threadID, id: id)
        if let pictures {
          MemberTitle(
            userID: post.authorID, title: post.authorTitleHTML, className: "member-title",
            pictures: pictures
          ).markup(cleaner)
        }
        if post.isIgnored {
          element(.details) {
            element(.summary) { "You are ignoring this author." }
            body(of: post, cleaner)
          }
        } else {
          body(of: post, cleaner)
        }
        if threadID != nil { bookmarkForm(of: post, isBookmarked: isBookmarked) }
      }
    }
    return LiveRow(id: id, markup: markup)
  }

  /// Returns the line with the author, the place and the date of a post.
  private static func header(of post: PostRow, ofThread threadID: String?, id: String) -> Markup {
    element(.header) {
      element(.strong) {
        if threadID == nil || post.authorID.isEmpty {
          post.authorName
        } else {
          element(.a, .class("author"), .href(MemberRows.path(of: post.authorID))) {
            post.authorName
          }
        }
      }
      element(.a, .class("muted"), .href("#\(id)")) { "#\(post.place)" }
      date(of: post)
      if post.isNew { element(.span, .class("new")) { "new" } }
      if let threadID { links(of: post, ofThread: threadID) }
    }
  }

  /// Returns the links for quoting and editing a post, and for showing its author's posts.
  private static func links(of post: PostRow, ofThread threadID: String) -> Markup {
    let thread = PagePath.part(threadID)
    let id = PagePath.part(post.postID)
    return element(.span, .class("links")) {
      if !post.authorID.isEmpty {
        element(
          .a, .href("/threads/\(thread)?author=\(PagePath.part(post.authorID))"),
          .label("Posts by \(post.authorName) in this thread")
        ) { "By author" }
      }
      if post.isAnswerable {
        element(
          .a, .href("/write/reply/\(thread)?quote=\(id)"), .label("Quote post \(post.place)")
        ) { "Quote" }
      }
      if post.isEditable {
        element(.a, .href("/write/edit/\(id)?thread=\(thread)"), .label("Edit post \(post.place)"))
        {
          "Edit"
        }
      }
    }
  }

  /// Returns the button that bookmarks a post or removes the bookmark.
  private static func bookmarkForm(of post: PostRow, isBookmarked: Bool) -> Markup {
    let path = "/posts/\(PagePath.part(post.postID))"
    return Markup.form(to: "\(path)/bookmark", back: path) {
      ChoiceRows.button(
        isBookmarked ? "remove" : "add", isBookmarked ? "Remove bookmark" : "Bookmark",
        "post \(post.place)")
    }
  }

  private static func body(of post: PostRow, _ cleaner: HTMLCleaner) -> Markup {
    element(.div, .class("body")) { Markup(trusted: cleaner.clean(post.bodyHTML)) }
  }

  private static func date(of post: PostRow) -> Markup {
    guard let date = post.date else { return element(.span, .class("muted")) { post.printedDate } }
    return element(.time, .class("muted"), Attribute("datetime", Wording.machineDate(date))) {
      Wording.day(date)
    }
  }
}
