import ForumHTML
import Foundation

extension ForumIndex {
  func reportFacts() -> [String: ReportValue] {
    let perGroup = Dictionary(grouping: forums.compactMap(\.groupID)) { $0 }
    let perDepth = Dictionary(grouping: forums) { String($0.depth) }
    let moderators = Set(forums.flatMap { $0.moderators.map(\.userID) })
    return [
      "groupCount": .number(groups.count),
      "groups": .list(groups.map { .object(["id": .text($0.id), "name": .text($0.name)]) }),
      "forumCount": .number(forums.count),
      "forumsPerGroup": .object(perGroup.mapValues { .number($0.count) }),
      "forumsByDepth": .object(perDepth.mapValues { .number($0.count) }),
      "rootForums": .number(forums.count { $0.parentID == nil }),
      "distinctModerators": .number(moderators.count),
      "forumOrderFirstTen": .texts(forums.prefix(10).map(\.id)),
      "forums": .list(forums.map(\.report)),
      "user": user.map { .object($0.reportFacts()) } ?? .null,
      "stats": .object(statistics.mapValues { .number($0) }),
    ]
  }
}

extension ForumIndex.Forum {
  var report: ReportValue {
    .object([
      "id": .text(id), "name": .text(name), "parent": .text(parentID), "group": .text(groupID),
      "depth": .number(depth), "moderators": .texts(moderators.map(\.userID)),
    ])
  }
}

extension CurrentUser {
  func reportFacts() -> [String: ReportValue] {
    [
      "userID": .text(userID), "username": .text(name),
      "canReceivePM": .flag(canReceivePrivateMessages), "gender": .text(gender),
      "posts": .number(postCount), "biography": .text(about), "homepage": .text(homepage),
      "aim": .text(aim), "icq": .text(icq), "yahoo": .text(yahoo), "location": .text(location),
      "interests": .text(interests), "occupation": .text(occupation),
      "joindateRaw": .number(registeredSeconds), "lastpostRaw": .number(lastPostSeconds),
      "joinDay": .text(registered.map(day)),
    ]
  }

  private func day(of date: Date) -> String {
    date.formatted(
      Date.ISO8601FormatStyle(timeZone: ForumClock.timeZone).year().month().day())
  }
}

extension ForumErrorPage {
  func reportFacts() -> [String: ReportValue] {
    [
      "errorKind": .text(kind.rawValue), "title": .text(title), "message": .text(message),
      "returnsToThread": .text(threadID), "reason": .text(reasonAddress),
      "help": .text(helpAddress), "rejectedName": .text(rejectedName),
      "username": .text(rejectedName),
    ]
  }
}

extension RedirectPage {
  func reportFacts() -> [String: ReportValue] {
    [
      "errorKind": .null, "success": .text(success?.rawValue), "message": .text(message),
      "target": .text(target), "threadID": .text(threadID), "postID": .text(postID),
    ]
  }
}
