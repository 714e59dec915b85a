import ForumClient
import ForumScraping
import ForumSimulator
import Foundation
import Testing

/// Private messages: folders, messages and forms, read by our scrapers and sent back.
@Suite("Private messages")
struct MessageTests {
  let site = ForumSite(seed: 7)

  func list(_ visitor: Visitor, folder: String? = nil) throws -> MessageListPage {
    let page = try visitor.read("private.php", folder.map { ["folderid": $0] } ?? [:])
    guard case .messageList(let list) = page else { throw page.refusal(of: "a message list") }
    return list
  }

  func message(_ visitor: Visitor, _ id: String) throws -> MessagePage {
    let page = try visitor.read("private.php", ["action": "show", "privatemessageid": id])
    guard case .message(let message) = page else { throw page.refusal(of: "a message") }
    return message
  }

  func composeForm(_ visitor: Visitor, _ query: [String: String] = [:]) throws -> ScrapedForm {
    let query = query.merging(["action": "newmessage"]) { $1 }
    return try visitor.form(.composeForm, "private.php", query).form
  }

  @Test("each folder lists its messages", arguments: Markup.allCases)
  func folders(markup: Markup) throws {
    let visitor = Visitor(site, markup: markup)
    let truth = site.truth()
    #expect(truth.folders.count == 3)
    for folder in truth.folders {
      let page = try list(visitor, folder: folder.id)
      #expect(page.folders.map(\.name) == truth.folders.map(\.name))
      #expect(page.selectedFolder?.id == folder.id)
      #expect(!page.isOnlyLastFifty)
      let expected = truth.messages.filter { $0.folderID == folder.id }
      #expect(!expected.isEmpty)
      #expect(page.messages.map(\.id) == expected.map(\.id))
      for (shown, wanted) in zip(page.messages, expected) {
        #expect(shown.subject == wanted.title)
        #expect(shown.otherPartyName == (folder.id == "-1" ? wanted.recipient : wanted.sender))
        #expect(shown.sent?.date == Date(timeIntervalSince1970: Double(wanted.date)))
        #expect(shown.icon?.imageName ?? "" == wanted.icon)
        #expect(shown.iconDescription == wanted.icon)
        #expect(shown.status.isSeen == wanted.isSeen)
        #expect(shown.status.isRepliedTo == (wanted.isSeen && wanted.isRepliedTo))
        #expect(shown.status.isForwarded == (wanted.isSeen && wanted.isForwarded))
      }
    }
    let inbox = truth.messages.filter { $0.folderID == "0" }
    #expect(Set(inbox.map(\.isSeen)) == [true, false])
    #expect(inbox.contains { $0.isRepliedTo })
    #expect(inbox.contains { $0.isForwarded })
  }

  @Test(
    "a message names its author with the author's roles, and is read from then on",
    arguments: Markup.allCases)
  func show(markup: Markup) throws {
    let visitor = Visitor(site, markup: markup)
    let users = Dictionary(uniqueKeysWithValues: site.truth().users.map { ($0.id, $0) })
    let admin = try #require(site.truth().users.first { $0.role == "administrator" })
    site.sendMessage(from: admin.name, title: "Rules", text: "[b]Read[/b] them")
    site.sendMessage(title: "Hello", text: "From a moderator")
    for wanted in site.truth().messages {
      let page = try message(visitor, wanted.id)
      let sender = try #require(users[wanted.senderID])
      #expect(page.id == wanted.id)
      #expect(page.subject == wanted.title)
      #expect(page.author.name == sender.name)
      #expect(page.author.userID == sender.id)
      #expect(page.author.isAdministrator == (sender.role == "administrator"))
      #expect(page.author.isModerator == (sender.role == "moderator"))
      #expect(page.author.registered?.date != nil)
      #expect(page.sent?.date == Date(timeIntervalSince1970: Double(wanted.date)))
      #expect(page.status.isSeen)
      #expect(page.status.isRepliedTo == wanted.isRepliedTo)
    }
    let facts = try ScrapeReport(
      PageScraper.read(
        [UInt8](
          visitor.get(
            "private.php",
            ["action": "show", "privatemessageid": try #require(site.truth().messages.first).id]
          ).body)), of: "made"
    ).facts
    guard case .object(let author) = facts["author"] else {
      Issue.record("the report names no author")
      return
    }
    #expect(author["moderator"] == .flag(true))
    #expect(author["administrator"] == .flag(false))
    #expect(site.truth().messages.allSatisfy { $0.isSeen })
  }

  @Test("an answer quotes, arrives, is kept among the sent items and marks the first message")
  func reply() throws {
    let visitor = Visitor(site, name: ForumSite.twelveHourUserName)
    site.sendMessage(
      to: ForumSite.twelveHourUserName, from: ForumSite.defaultUserName, title: "Tea?",
      text: "At \u{2603} five")
    let first = try #require(site.truth(for: ForumSite.twelveHourUserName).messages.first)
    let form = try composeForm(visitor, ["privatemessageid": first.id])
    let fields = Dictionary(
      form.submission(pressing: "submit").map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    #expect(fields["touser"] == ForumSite.defaultUserName)
    #expect(fields["title"] == "Re: Tea?")
    #expect(fields["prevmessageid"] == first.id)
    #expect(fields["message"] == "[quote=\"lamp_reader\"]\nAt \u{2603} five\n[/quote]\n\n")
    let text = try #require(fields["message"]) + "Yes \u{2603}"
    _ = try visitor.send(form, ["message": text]).redirect
    let arrived = try #require(site.truth().messages.first)
    #expect(arrived.title == "Re: Tea?")
    #expect(arrived.text == text)
    #expect(!arrived.isSeen)
    let own = site.truth(for: ForumSite.twelveHourUserName).messages
    #expect(own.contains { $0.folderID == "-1" && $0.text == text })
    #expect(own.first { $0.id == first.id }?.isRepliedTo == true)
    let shown = try message(Visitor(site), arrived.id)
    #expect(shown.bodyHTML.contains("lamp_reader posted:"))
    #expect(try list(visitor).messages.first?.sent?.printed.contains("M") == true)
  }

  @Test("a forwarded message has no recipient yet and marks the first one as forwarded")
  func forward() throws {
    let visitor = Visitor(site)
    let first = try #require(site.truth().messages.first { !$0.isForwarded && $0.folderID == "0" })
    let form = try composeForm(visitor, ["privatemessageid": first.id, "forward": "true"])
    #expect(form.controls(named: "touser").map(\.value) == [""])
    #expect(form.controls(named: "title").map(\.value) == ["Fw: \(first.title)"])
    let before = site.truth().messages.count
    #expect(try visitor.send(form, ["message": "x"]).error.kind == .standard)
    let recipient = try #require(
      site.truth().users.first { $0.acceptsMessages && $0.name != ForumSite.defaultUserName })
    _ = try visitor.send(form, ["touser": recipient.name, "savecopy": "no"]).redirect
    let after = site.truth().messages
    #expect(after.first { $0.id == first.id }?.isForwarded == true)
    #expect(after.count == before)
    #expect(site.truth(for: recipient.name).messages.first?.title == "Fw: \(first.title)")
  }

  @Test("messages are deleted, moved, and kept in the member's folders")
  func housekeeping() throws {
    let visitor = Visitor(site)
    let messages = site.truth().messages.filter { $0.folderID == "0" }
    let query = ["action": "dodelete", "privatemessageid": messages[0].id]
    #expect(try Visitor.read(visitor.post("private.php", query)).error.kind == .standard)
    _ = try Visitor.read(visitor.post("private.php", query.merging(["delete": "yes"]) { $1 }))
      .redirect
    #expect(!site.truth().messages.contains { $0.id == messages[0].id })
    let chosen = ["privatemessage[\(messages[1].id)]": "yes", "privatemessage[1]": "yes"]
    let move = ["action": "dostuff", "move": "Move", "folderid": "1"].merging(chosen) { $1 }
    _ = try Visitor.read(visitor.post("private.php", move)).redirect
    #expect(site.truth().messages.first { $0.id == messages[1].id }?.folderID == "1")
    let form = try visitor.form(.editFoldersForm, "private.php", ["action": "editfolders"]).form
    _ = try visitor.send(form, ["folderlist[1]": "", "folderlist[2]": "Ships & sails"]).redirect
    #expect(site.truth().folders.map(\.name) == ["Inbox", "Sent Items", "Ships & sails"])
    #expect(site.truth().messages.first { $0.id == messages[1].id }?.folderID == "0")
    #expect(try list(visitor, folder: "2").messages.isEmpty)
  }

  @Test("a folder of more than fifty messages states that it shows the last fifty")
  func lastFifty() throws {
    for number in 0..<60 { site.sendMessage(title: "Number \(number)", text: "x") }
    let visitor = Visitor(site)
    let short = try list(visitor)
    #expect(short.isOnlyLastFifty)
    #expect(short.messages.count == 50)
    #expect(short.messages.first?.subject == "Number 59")
    guard case .messageList(let all) = try visitor.read("private.php", ["showall": "1"]) else {
      Issue.record("not a message list")
      return
    }
    #expect(!all.isOnlyLastFifty)
    #expect(all.messages.count == site.truth().messages.count { $0.folderID == "0" })
  }

  @Test("other members' messages, unknown folders and invalid forms return an error page")
  func refusals() throws {
    let visitor = Visitor(site, name: ForumSite.twelveHourUserName)
    let foreign = try #require(site.truth().messages.first)
    let before = site.truth()
    for query in [
      ["action": "show", "privatemessageid": foreign.id],
      ["action": "show", "privatemessageid": "99999999999999999999999"], ["action": "show"],
      ["action": "newmessage", "privatemessageid": foreign.id], ["folderid": "77"],
      ["folderid": "x"], ["action": "dance"],
    ] {
      #expect(try visitor.read("private.php", query).error.kind == .standard)
    }
    for form in [
      ["action": "dosend"], ["action": "dosend", "touser": "lamp_reader", "title": "t"],
      ["action": "dosend", "touser": "no such member", "title": "t", "message": "m"],
      ["action": "dosend", "touser": "lamp_reader", "title": "t", "message": "m", "iconid": "x"],
      ["action": "dodelete", "privatemessageid": foreign.id, "delete": "yes"],
      ["action": "dostuff", "delete": "Delete", "privatemessage[\(foreign.id)]": "yes"],
      ["action": "dostuff", "move": "Move", "privatemessage[": "yes"], ["action": "doeditfolders"],
    ] {
      #expect(try Visitor.read(visitor.post("private.php", form)).error.kind == .standard)
    }
    #expect(site.truth() == before)
    #expect(try Visitor(site, name: nil).read("private.php").error.kind == .mustRegister)
    let normal = try #require(
      site.truth().users.first { $0.role == "normal" && $0.standing == "good" })
    #expect(
      try Visitor(site, name: normal.name).read("private.php").error.kind == .platinumRequired)
  }
}
