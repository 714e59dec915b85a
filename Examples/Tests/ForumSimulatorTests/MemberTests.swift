import ForumClient
import ForumScraping
import ForumSimulator
import Foundation
import Testing

/// Profiles, punishments, the ignore list and its effect on pages of posts.
@Suite("Members")
struct MemberTests {
  let site = ForumSite(seed: 7)

  func profile(_ visitor: Visitor, _ query: [String: String]) throws -> ProfilePage {
    let page = try visitor.read("member.php", query.merging(["action": "getinfo"]) { $1 })
    guard case .profile(let profile) = page else { throw page.refusal(of: "a profile") }
    return profile
  }

  func ignoreList(_ visitor: Visitor) throws -> FormPage {
    try visitor.form(
      .ignoreListForm, "member2.php", ["action": "viewlist", "userlist": "ignore"])
  }

  /// A member who can be ignored and has posted in a thread with other members.
  func poster() throws -> (thread: SiteTruth.Thread, user: SiteTruth.User) {
    let truth = site.truth()
    let names = Dictionary(uniqueKeysWithValues: truth.users.map { ($0.id, $0) })
    for thread in truth.threads where (3...40).contains(thread.posts.count) {
      for post in thread.posts {
        if let user = names[post.authorID], ["normal", "platinum"].contains(user.role),
          user.name != ForumSite.defaultUserName
        {
          return (thread, user)
        }
      }
    }
    throw NoPoster()
  }

  struct NoPoster: Error {}

  @Test("the site serves the avatars and pictures that its pages show, also to guests")
  func images() throws {
    site.demandLogIn(true)
    func answer(_ folder: String, _ id: String) -> SiteResponse {
      site.page(path: "images/\(folder)/\(id).png", user: nil)
    }
    var counts = (avatars: 0, pictures: 0)
    for user in site.truth().users {
      let page = try profile(Visitor(site), ["userid": user.id])
      let (avatar, picture) = (answer("avatars", user.id), answer("pictures", user.id))
      let hasAvatar = page.author.customTitleHTML.contains("/images/avatars/\(user.id).png")
      #expect((avatar.header("Content-Type") == "image/png") == hasAvatar)
      #expect((picture.header("Content-Type") == "image/png") == (page.picture != nil))
      for image in [avatar, picture] where image.header("Content-Type") == "image/png" {
        #expect(image.body.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        #expect(image.body.suffix(12).dropFirst(4).starts(with: "IEND".utf8))
      }
      if hasAvatar { counts.avatars += 1 }
      if page.picture != nil { counts.pictures += 1 }
    }
    #expect(counts.avatars > 0 && counts.pictures > 0)
    #expect(answer("avatars", "999999").header("Content-Type") != "image/png")
  }

  @Test("a profile agrees with the truth, by number and by name", arguments: Markup.allCases)
  func profiles(markup: Markup) throws {
    let visitor = Visitor(site, markup: markup)
    let users = site.truth().users
    for user in users {
      let page = try profile(visitor, ["userid": user.id])
      #expect(try page == profile(visitor, ["username": user.name]))
      #expect(page.author.name == user.name)
      #expect(page.author.userID == user.id)
      #expect(page.author.isAdministrator == (user.role == "administrator"))
      #expect(page.canReceivePrivateMessages == user.acceptsMessages)
      #expect(page.postCount == user.postCount)
      #expect(
        page.lastPosted?.date == user.lastPostDate.map { Date(timeIntervalSince1970: Double($0)) })
      #expect(page.gender == user.gender)
      #expect(page.homepage ?? "" == user.homepage ?? "")
      #expect(page.location ?? "" == user.location)
    }
    #expect(users.contains { $0.gender == nil } && users.contains { $0.gender != nil })
  }

  @Test("a report distinguishes values that a member hides from empty values")
  func absence() throws {
    let user = try #require(site.truth().users.first { $0.homepage == nil && $0.about.isEmpty })
    let body = Visitor(site).get("member.php", ["action": "getinfo", "userid": user.id]).body
    let facts = try ScrapeReport(PageScraper.read([UInt8](body)), of: "made").facts
    #expect(facts["homepage"] == .null)
    #expect(facts["icq"] == .text("") || facts["icq"] != .null)
    #expect(facts["aboutText"] == .text(""))
    #expect(facts["aim"] == .text(""))
  }

  @Test("the punishment list has pages and can be limited to a member", arguments: Markup.allCases)
  func punishments(markup: Markup) throws {
    let visitor = Visitor(site, markup: markup)
    let truth = site.truth().punishments
    var shown: [PunishmentsPage.Punishment] = []
    for number in 1...2 {
      guard
        case .punishments(let page) = try visitor.read("banlist.php", ["pagenumber": "\(number)"])
      else {
        Issue.record("not a list of punishments")
        return
      }
      #expect(page.pages.page == number)
      #expect(page.pages.count == 2)
      shown += page.punishments
    }
    #expect(shown.map { $0.sentence.rawValue.uppercased() } == truth.map(\.sentence))
    #expect(shown.map(\.postID) == truth.map(\.postID))
    #expect(shown.map(\.subject.userID) == truth.map(\.userID))
    #expect(shown.map(\.requester?.userID) == truth.map(\.requesterID))
    #expect(
      shown.map(\.decided?.date) == truth.map { Date(timeIntervalSince1970: Double($0.date)) })
    #expect(Set(truth.map(\.sentence)).count == 4)
    let user = truth[0].userID
    guard case .punishments(let own) = try visitor.read("banlist.php", ["userid": user]) else {
      Issue.record("not a list of punishments")
      return
    }
    #expect(own.punishments.count == truth.count { $0.userID == user })
  }

  @Test(
    "posts of an ignored member are reduced and can be read one by one", arguments: Markup.allCases)
  func ignoredPosts(markup: Markup) throws {
    let visitor = Visitor(site, markup: markup)
    let (thread, user) = try poster()
    let form = try ignoreList(visitor)
    #expect(form.ignoredNames.isEmpty)
    #expect(form.emptyIgnoreSlots == 2)
    var fields = form.form.submission(pressing: "submit").map { ($0.name, $0.value) }
    fields.append(("listbits[]", user.name))
    let body = FormBody(urlEncoding: fields)
    let answer = visitor.post("member2.php", contentType: body.contentType, body: body.bytes)
    #expect(try Visitor.read(answer).redirect.success == .ignoreListUpdated)
    #expect(try ignoreList(visitor).ignoredNames == [user.name])
    #expect(site.truth().ignoredUserIDs == [user.id])
    let posts = try visitor.read("showthread.php", ["threadid": thread.id, "perpage": "40"])
      .expectThread().posts
    #expect(posts.map(\.id) == thread.posts.map(\.id))
    for (post, wanted) in zip(posts, thread.posts) {
      let isIgnored = wanted.authorID == user.id
      #expect(post.isIgnored == isIgnored)
      #expect(post.index == (isIgnored ? nil : wanted.index))
      #expect(post.author.name == wanted.author)
      #expect(post.posted?.date != nil)
    }
    let wanted = try #require(thread.posts.first { $0.authorID == user.id })
    let page = try visitor.read("showthread.php", ["action": "showpost", "postid": wanted.id])
    guard case .singlePost(let single) = page else {
      Issue.record("not a single post")
      return
    }
    #expect(single.threadID == thread.id)
    #expect(single.threadTitle == thread.title)
    #expect(single.post.id == wanted.id)
    #expect(!single.post.isIgnored)
    #expect(single.post.index == nil)
  }

  @Test(
    "a moderator cannot be ignored, and the refusal names the moderator", arguments: Markup.allCases
  )
  func refusedName(markup: Markup) throws {
    let visitor = Visitor(site, markup: markup)
    let staff = site.truth().users.filter { ["moderator", "administrator"].contains($0.role) }
    #expect(staff.count > 1)
    for user in staff {
      let key = try ignoreList(visitor).form.controls(named: "formkey").first?.value
      let form = [
        "action": "addlist", "userlist": "ignore", "userid": user.id, "formkey": key ?? "",
      ]
      let error = try Visitor.read(visitor.post("member2.php", form)).error
      #expect(error.kind == .ignoreRejected)
      #expect(error.rejectedName == user.name)
      let list = FormBody(urlEncoding: [
        ("action", "updatelist"), ("userlist", "ignore"), ("formkey", key ?? ""),
        ("listbits[]", ForumSite.twelveHourUserName), ("listbits[]", user.name),
      ])
      let answer = visitor.post("member2.php", contentType: list.contentType, body: list.bytes)
      #expect(try Visitor.read(answer).error.rejectedName == user.name)
    }
    #expect(site.truth().ignoredUserIDs.isEmpty)
  }

  @Test("a member is ignored from the profile, once")
  func addFromProfile() throws {
    let visitor = Visitor(site)
    let (_, user) = try poster()
    let key = try ignoreList(visitor).form.controls(named: "formkey").first?.value
    let form = ["action": "addlist", "userlist": "ignore", "userid": user.id, "formkey": key ?? ""]
    for _ in 0..<2 {
      let page = try Visitor.read(visitor.post("member2.php", form)).redirect
      #expect(page.success == .ignoreListUpdated)
    }
    #expect(site.truth().ignoredUserIDs == [user.id])
    let without = form.merging(["formkey": "x"]) { $1 }
    #expect(try Visitor.read(visitor.post("member2.php", without)).error.kind == .standard)
  }

  @Test("unknown members, lists and actions return an error page")
  func refusals() throws {
    let visitor = Visitor(site)
    for (path, query) in [
      ("member.php", ["action": "getinfo", "userid": "99999999999999999999999"]),
      ("member.php", ["action": "getinfo", "username": ""]), ("member.php", ["action": "getinfo"]),
      ("member.php", [:]), ("member2.php", ["action": "viewlist", "userlist": "buddy"]),
      ("member2.php", ["action": "updatelist", "userlist": "ignore"]),
      ("showthread.php", ["action": "showpost", "postid": "-5"]),
    ] {
      #expect(try visitor.read(path, query).error.kind == .standard)
    }
    let odd = try visitor.read("banlist.php", ["pagenumber": "999999999999", "userid": "x"])
    #expect(odd.kind == .punishments)
  }

  @Test("a page for guests leaves the bookmark state of a thread unknown")
  func guestBookmark() throws {
    let thread = try #require(site.truth().threads.first { $0.bookmark != nil })
    let query = ["threadid": thread.id]
    #expect(try Visitor(site).read("showthread.php", query).expectThread().isBookmarked == true)
    let guest = Visitor(site, name: nil)
    #expect(try guest.read("showthread.php", query).expectThread().isBookmarked == nil)
    let body = guest.get("showthread.php", query).body
    let facts = try ScrapeReport(PageScraper.read([UInt8](body)), of: "made").facts
    #expect(facts["bookmarked"] == .null)
  }
}
