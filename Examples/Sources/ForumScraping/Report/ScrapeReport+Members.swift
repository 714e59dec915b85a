import ForumHTML

extension AuthorSidebar {
  func reportFacts() throws -> [String: ReportValue] {
    let facts: [String: ReportValue] = [
      "userID": .text(userID), "username": .text(name), "administrator": .flag(isAdministrator),
      "moderator": .flag(isModerator), "originalPoster": .flag(isOriginalPoster),
      "classes": .texts(otherClasses),
      "customTitleText": .text(try ScrapeReport.text(of: customTitleHTML)),
      "customTitleImages": .texts(try ScrapeReport.imageNames(in: customTitleHTML)),
    ]
    return facts.adding(ScrapeReport.date(registered, "registered"))
  }
}

extension ProfilePage {
  func reportFacts() throws -> [String: ReportValue] {
    let facts: [String: ReportValue] = [
      "author": .object(try author.reportFacts()), "canPM": .flag(canReceivePrivateMessages),
      "gender": .text(gender), "aboutText": .text(try ScrapeReport.text(of: aboutHTML ?? "")),
      "icq": .text(icq ?? ""), "aim": .text(aim ?? ""), "yahoo": .text(yahoo ?? ""),
      "homepage": .text(homepage?.nonEmpty),
      "profilePicture": .text(picture), "postCount": .number(postCount),
      "postRate": .text(postRate ?? ""), "memberSince": .text(memberSince ?? ""),
      "location": .text(location ?? ""),
      "interests": .text(interests ?? ""), "occupation": .text(occupation ?? ""),
    ]
    return facts.adding(ScrapeReport.date(lastPosted, "lastPost"))
  }
}

extension PunishmentsPage {
  func reportFacts() throws -> [String: ReportValue] {
    let sentences = Dictionary(grouping: punishments) { $0.sentence.rawValue }
    let withoutPost = punishments.indices.filter { punishments[$0].postID == nil }
    return [
      "page": .number(pages.page), "pageCount": .number(pages.count),
      "count": .number(punishments.count),
      "bySentence": .object(sentences.mapValues { .number($0.count) }),
      "withoutPost": .list(withoutPost.map { .number($0) }),
      "punishments": .list(try punishments.map { try .object($0.reportFacts()) }),
    ]
  }
}

extension PunishmentsPage.Punishment {
  func reportFacts() throws -> [String: ReportValue] {
    let facts: [String: ReportValue] = [
      "sentence": .text(sentence.rawValue), "postID": .text(postID),
      "subjectID": .text(subject.userID), "subject": .text(subject.name),
      "requesterID": .text(requester?.userID), "requester": .text(requester?.name),
      "approverID": .text(approver?.userID), "approver": .text(approver?.name),
      "reason": .text(try ScrapeReport.text(of: reasonHTML)),
    ]
    return facts.adding(ScrapeReport.date(decided, "date"))
  }
}

extension MessageListPage {
  func reportFacts() -> [String: ReportValue] {
    [
      "folders": .list(folders.map(\.report)), "selectedFolder": selectedFolder?.report ?? .null,
      "onlyLastFifty": .flag(isOnlyLastFifty),
      "messages": .list(messages.map { .object($0.reportFacts()) }),
    ]
  }
}

extension MessageListPage.Folder {
  var report: ReportValue { .object(["id": .text(id), "name": .text(name)]) }
}

extension MessageListPage.Message {
  func reportFacts() -> [String: ReportValue] {
    let facts: [String: ReportValue] = [
      "messageID": .text(id), "subject": .text(subject), "sender": .text(otherPartyName),
      "senderLinked": .flag(isOtherPartyLinked), "icon": .text(icon?.imageName),
      "iconDescription": .text(iconDescription),
    ]
    return facts.adding(ScrapeReport.date(sent, "sent")).adding(status.reportFacts())
  }
}

extension MessageStatus {
  func reportFacts() -> [String: ReportValue] {
    ["seen": .flag(isSeen), "repliedTo": .flag(isRepliedTo), "forwarded": .flag(isForwarded)]
  }
}

extension MessagePage {
  func reportFacts() throws -> [String: ReportValue] {
    let facts: [String: ReportValue] = [
      "messageID": .text(id), "subject": .text(subject),
      "author": .object(try author.reportFacts()),
      "text": .text(try ScrapeReport.text(of: bodyHTML)),
    ]
    return facts.adding(ScrapeReport.date(sent, "sent")).adding(status.reportFacts())
  }
}
