import Foundation

/// The control pages that change the site: its clock, its events, its threads and members.
struct SiteControl {
  let site: ForumSite

  /// Responds to a POST request, whose parameters are in the query.
  func answer(to name: String, _ request: SiteRequest) -> SiteResponse {
    switch name {
    case "advance", "turn-back": return moveClock(name, request)
    case "happen": return happen(request)
    case "reset": site.reset(seed: request.number("seed").map { UInt64(bitPattern: Int64($0)) })
    case "demand-login": site.demandLogIn(request.query["on"] != "0")
    case "end-session": site.endSession(of: request.query["user"] ?? ForumSite.defaultUserName)
    default:
      guard change(name, request.query["id"] ?? "", request) else {
        return .problem("There is no control page POST /__sim/\(name).", 404)
      }
    }
    return .done(site)
  }

  /// Changes one thread, post, forum or account, named by `id`.
  private func change(_ name: String, _ id: String, _ request: SiteRequest) -> Bool {
    let title = request.query["title"] ?? ""
    switch name {
    case "post": site.post(inThread: id)
    case "delete-post": site.deletePost(id)
    case "delete-thread": site.deleteThread(id)
    case "close-thread": site.closeThread(id)
    case "archive-thread": site.archiveThread(id)
    case "rename-thread": site.renameThread(id, to: title)
    case "move-thread": site.moveThread(id, toForum: request.query["forum"] ?? "")
    case "rename-user": site.renameUser(id, to: title)
    case "plain-layout": site.usePlainLayout(inForum: id, request.query["on"] != "0")
    case "message":
      site.sendMessage(
        to: request.query["user"] ?? ForumSite.defaultUserName, title: title,
        text: request.query["text"] ?? "")
    default: return false
    }
    return true
  }

  private func moveClock(_ name: String, _ request: SiteRequest) -> SiteResponse {
    guard let seconds = request.number("seconds"), seconds >= 0 else {
      return .problem("\(name) requires ?seconds=N with a nonnegative number.", 400)
    }
    if name == "advance" { site.advance(seconds: seconds) } else { site.turnBack(seconds: seconds) }
    return .done(site)
  }

  private func happen(_ request: SiteRequest) -> SiteResponse {
    let times = request.number("times") ?? 1
    guard (1...10_000).contains(times) else {
      return .problem("The number of times for happen must be between 1 and 10000.", 400)
    }
    guard let name = request.query["kind"] else {
      site.happen(times: times, seed: request.number("seed").map { UInt64(bitPattern: Int64($0)) })
      return .done(site)
    }
    guard let kind = Happening(rawValue: name) else {
      let kinds = Happening.allCases.map(\.rawValue).joined(separator: ", ")
      return .problem("The kind of an event must be one of: \(kinds).", 400)
    }
    for _ in 0..<times where !site.happen(kind) {
      return .problem("This event cannot occur in the current state of the site.", 409)
    }
    return .done(site)
  }
}

extension SiteResponse {
  /// Returns the response of a successful control page, with the site's clock and revision.
  static func done(_ site: ForumSite) -> SiteResponse {
    .json("{\"clock\":\(Int(site.now.timeIntervalSince1970)),\"revision\":\(site.revision)}")
  }

  /// Returns the response of a control page that rejects a request.
  static func problem(_ message: String, _ status: Int) -> SiteResponse {
    .json(JSONText.object([("error", .string(message))]).text, status: status)
  }
}
