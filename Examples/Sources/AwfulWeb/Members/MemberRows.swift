import AwfulCore
import ForumHTML
import ForumScraping
import Foundation
import WebPages

/// The markup for members: the profile, and punishments.
enum MemberRows {
  /// Returns the path of the page about a member.
  static func path(of userID: String) -> String { "/members/\(PagePath.part(userID))" }

  /// Returns the row with a member's profile.
  ///
  /// - Parameters:
  ///   - member: The member.
  ///   - pictures: The stored images.
  ///   - base: The site's address, which completes the address of the picture.
  ///   - cleaner: The cleaner for the title and the self-description.
  static func row(
    _ member: MemberRow, pictures: MemberPictures, base: URL?, _ cleaner: HTMLCleaner
  ) -> LiveRow {
    let id = "member-\(member.userID)"
    let markup = element(.li, .id(id)) {
      if !member.role.isEmpty { element(.p) { element(.strong) { member.role } } }
      MemberTitle(
        userID: member.userID, title: member.titleHTML, className: "body", pictures: pictures
      ).markup(cleaner)
      element(.dl, .class("facts")) {
        if !member.printedRegistration.isEmpty {
          fact("Member since", Markup(member.printedRegistration))
        }
        if let profile = member.profile { facts(profile, base: base) }
      }
      if let picture = member.profile?.picture, pictures.mayStore(picture.absoluteString) {
        element(
          .img, .class("picture"),
          Attribute(
            "src", MemberImagePages.picture(of: member.userID, at: picture.absoluteString)),
          Attribute("alt", "Picture of \(member.name)"), Attribute("loading", "lazy"))
      }
      if let profile = member.profile, !profile.aboutHTML.isEmpty {
        element(.h2) { "About" }
        element(.div, .class("body")) { Markup(trusted: cleaner.clean(profile.aboutHTML)) }
      }
      if member.profile == nil {
        element(.p, .class("muted")) { "The profile is not stored yet." }
      }
    }
    return LiveRow(id: id, markup: markup)
  }

  @MarkupBuilder
  private static func facts(_ profile: MemberRow.Profile, base: URL?) -> Markup {
    for entry in profile.facts { fact(entry.label, Markup(entry.text)) }
    if let date = profile.lastPostDate { fact("Last post", Markup(Wording.day(date))) }
    if let homepage = profile.homepage { fact("Home page", link(homepage)) }
    if let picture = profile.picture?.absoluteString,
      let address = URL(string: picture, relativeTo: base)?.absoluteURL,
      ["http", "https"].contains(address.scheme)
    {
      fact("Picture", link(address))
    }
  }

  @MarkupBuilder
  private static func fact(_ label: String, _ value: Markup) -> Markup {
    element(.dt) { label }
    element(.dd) { value }
  }

  /// Returns a link to another site that does not send the address of the linking page.
  private static func link(_ address: URL) -> Markup {
    element(.a, .href(address.absoluteString), Attribute("rel", "noreferrer noopener")) {
      address.absoluteString
    }
  }

  /// Returns the table of a member's punishments, latest first.
  static func table(_ punishments: [PunishmentsPage.Punishment], _ cleaner: HTMLCleaner) -> Markup {
    element(.div, .class("wide"), Attribute("tabindex", "0"), .label("Punishments")) {
      element(.table) {
        element(.thead) {
          element(.tr) {
            for title in ["Type", "Date", "Reason", "Approved by"] {
              element(.th, Attribute("scope", "col")) { title }
            }
          }
        }
        element(.tbody) {
          for punishment in punishments { row(punishment, cleaner) }
        }
      }
    }
  }

  private static func row(
    _ punishment: PunishmentsPage.Punishment, _ cleaner: HTMLCleaner
  ) -> Markup {
    element(.tr) {
      element(.td) {
        if let postID = punishment.postID {
          element(.a, .href("/posts/\(PagePath.part(postID))")) { punishment.sentence.rawValue }
        } else {
          punishment.sentence.rawValue
        }
      }
      element(.td, .class("when")) { punishment.decided?.date.map(Wording.day) ?? "" }
      element(.td, .class("body")) { Markup(trusted: cleaner.clean(punishment.reasonHTML)) }
      element(.td) {
        if let approver = punishment.approver {
          if let id = approver.userID {
            element(.a, .href(path(of: id))) { approver.name }
          } else {
            approver.name
          }
        }
      }
    }
  }
}
