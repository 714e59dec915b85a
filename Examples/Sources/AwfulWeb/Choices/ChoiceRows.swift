import AwfulCore
import WebPages

/// The rows of the lists of the reader's choices.
enum ChoiceRows {
  /// Returns the row of a favourite forum, with the buttons that move it.
  static func favorite(_ forum: ForumRow) -> LiveRow {
    let id = "favorite-\(forum.forumID)"
    let path = "/forums/\(PagePath.part(forum.forumID))"
    return LiveRow(
      id: id,
      markup: element(.li, .id(id), .class("chosen")) {
        element(.a, .href(path)) { forum.name }
        Markup.form(to: "\(path)/favorite", back: "/favorites") {
          button("up", "Up", forum.name)
          button("down", "Down", forum.name)
          button("remove", "Remove", forum.name)
        }
      })
  }

  /// Returns the row of a hidden thread, with the button that shows it again.
  static func hidden(_ thread: ReaderChoices.Hidden) -> LiveRow {
    let id = "hidden-\(thread.threadID)"
    let path = "/threads/\(PagePath.part(thread.threadID))"
    return LiveRow(
      id: id,
      markup: element(.li, .id(id), .class("chosen")) {
        element(.a, .href(path)) { thread.title.isEmpty ? "Thread" : thread.title }
        Markup.form(to: "\(path)/hide", back: "/hidden") {
          button("show", "Show again", thread.title)
        }
      })
  }

  /// Returns the row of a bookmarked post, with the button that removes the bookmark.
  static func bookmarked(_ post: PostBookmark) -> LiveRow {
    let id = "bookmarked-\(post.postID)"
    let path = "/posts/\(PagePath.part(post.postID))"
    let title = post.threadTitle.isEmpty ? "Thread" : post.threadTitle
    return LiveRow(
      id: id,
      markup: element(.li, .id(id), .class("chosen")) {
        element(.a, .href(path)) {
          post.authorName.isEmpty ? title : "\(title): \(post.authorName)"
        }
        element(.span, .class("muted")) { post.excerpt }
        Markup.form(to: "\(path)/bookmark", back: "/bookmarks/posts") {
          button("remove", "Remove", title)
        }
      })
  }

  /// Returns the row of a thread that is saved for later, with its progress.
  static func saved(_ thread: SavedThreadRow) -> LiveRow {
    let id = "saved-\(thread.threadID)"
    let path = "/threads/\(PagePath.part(thread.threadID))"
    return LiveRow(
      id: id,
      markup: element(.li, .id(id), .class("chosen")) {
        element(.a, .href(path)) { thread.title.isEmpty ? "Thread" : thread.title }
        element(.span, .class("muted")) { progress(of: thread) }
        if let problem = thread.problem { element(.span, .class("warn-text")) { problem } }
        Markup.form(to: "\(path)/save", back: "/saved") {
          switch thread.state {
          case .waiting: button("pause", "Pause", thread.title)
          case .paused: button("resume", "Resume", thread.title)
          case .done, .refused:
            button("save", thread.lastPage > 0 ? "Fetch all pages" : "Fetch again", thread.title)
          }
          button("remove", "Remove", thread.title)
        }
      })
  }

  private static func progress(of thread: SavedThreadRow) -> String {
    if thread.lastPage > 0 { return partialProgress(of: thread) }
    let pages =
      thread.pageCount == 0
      ? "no pages" : "\(thread.donePages) of \(Wording.count(thread.pageCount, "page"))"
    return switch thread.state {
    case .waiting: "\(pages) stored"
    case .paused: "paused, \(pages) stored"
    case .done: "complete, \(Wording.count(thread.pageCount, "page"))"
    case .refused: "unavailable, \(pages) stored"
    }
  }

  /// Returns the progress of a thread of which only some pages are saved.
  private static func partialProgress(of thread: SavedThreadRow) -> String {
    let next = thread.donePages + 1
    let pages =
      next < thread.lastPage ? "pages \(next) to \(thread.lastPage)" : "page \(thread.lastPage)"
    return switch thread.state {
    case .waiting: "\(pages) not stored yet"
    case .paused: "paused, \(pages) not stored yet"
    case .done: "the chosen pages of \(Wording.count(thread.pageCount, "page")) are stored"
    case .refused: "unavailable, \(pages) not stored"
    }
  }

  /// Returns a button whose accessible name contains the row's name.
  static func button(_ value: String, _ label: String, _ subject: String) -> Markup {
    element(
      .button, .class("quiet"), Attribute("name", "do"), Attribute("value", value),
      .label("\(label): \(subject)")
    ) { label }
  }
}
