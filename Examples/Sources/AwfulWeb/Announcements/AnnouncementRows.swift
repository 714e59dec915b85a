import AwfulCore
import ForumHTML
import Foundation
import WebPages

/// The rows of the site's announcements.
enum AnnouncementRows {
  /// The path of the page with the announcements.
  static let path = "/announcements"

  /// Returns the row of an announcement above the list of forums.
  static func link(_ announcement: AnnouncementRow) -> LiveRow {
    let id = "announcement-link-\(announcement.place)"
    let markup = element(.li, .id(id)) {
      element(.a, .href("\(path)#\(anchor(of: announcement))")) {
        announcement.title
        if announcement.isNew {
          " "
          element(.span, .class("badge")) { "new" }
        }
      }
    }
    return LiveRow(id: id, markup: markup)
  }

  /// Returns the row of an announcement with its text. The text is cleaned, because it is the site's markup.
  static func row(_ announcement: AnnouncementRow, _ cleaner: HTMLCleaner) -> LiveRow {
    let id = anchor(of: announcement)
    let markup = element(.li, .id(id), .class("post")) {
      element(.article, Attribute("tabindex", "-1"), .label(announcement.title)) {
        element(.h2) { announcement.title }
        element(.header) {
          if !announcement.authorName.isEmpty {
            element(.strong) {
              element(.a, .href("/members?name=\(PagePath.part(announcement.authorName))")) {
                announcement.authorName
              }
            }
          }
          element(.span, .class("muted")) {
            announcement.date.map(Wording.day) ?? announcement.printedDate
          }
          if announcement.isNew { element(.span, .class("new")) { "new" } }
        }
        element(.div, .class("body")) {
          if let body = announcement.bodyHTML {
            Markup(trusted: cleaner.clean(body))
          } else {
            element(.p, .class("muted")) { "The text is not stored yet." }
          }
        }
        if announcement.isNew { readForm(announcement) }
      }
    }
    return LiveRow(id: id, markup: markup)
  }

  /// Returns the button that marks an announcement as read. The title identifies the announcement, because the site may replace it.
  private static func readForm(_ announcement: AnnouncementRow) -> Markup {
    Markup.form(to: "\(path)/\(announcement.place)/seen", back: path) {
      Markup.hidden("title", announcement.title)
      element(.button, .class("quiet"), .label("Mark as read: \(announcement.title)")) {
        "Mark as read"
      }
    }
  }

  private static func anchor(of announcement: AnnouncementRow) -> String {
    "announcement-\(announcement.place)"
  }
}
