import Foundation

/// The control pages below `/__sim/`, with which a test moves the clock, injects faults and reads the truth.
struct ControlRouter: Sendable {
  static let prefix = "__sim/"

  let site: ForumSite
  let faults: FaultBook
  let counters: CounterBook

  /// Returns the response to a request whose path starts with the prefix.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - body: The body, for faults given as JSON.
  func answer(to request: SiteRequest, body: Data) -> SiteResponse {
    let name = request.path.dropFirst(Self.prefix.count)
    switch (request.method, name) {
    case ("GET", "truth.json"):
      return json(site.truth(for: request.query["user"] ?? ForumSite.defaultUserName))
    case ("GET", "counters"), ("GET", "counters.json"): return json(counters.current)
    case ("GET", "requests.txt"): return lastRequests
    case ("GET", "faults"): return json(faults.faults)
    case ("POST", "faults"): return addFault(request, body: body)
    case ("DELETE", "faults"), ("POST", "faults/clear"): return done { faults.clear() }
    case ("POST", "counters/reset"): return done { counters.reset() }
    case ("GET", "snapshot.json"): return snapshot
    case ("POST", "snapshot"): return load(body)
    case ("POST", "script"): return run(body)
    case ("POST", _): return SiteControl(site: site).answer(to: String(name), request)
    default: return .problem("There is no control page \(request.method) /\(request.path).", 404)
    }
  }

  private var lastRequests: SiteResponse {
    SiteResponse(
      headers: [SiteResponse.Header("Content-Type", "text/plain; charset=utf-8")],
      body: Data(counters.current.lastRequests.map { $0 + "\n" }.joined().utf8))
  }

  private var snapshot: SiteResponse {
    do {
      return .json(String(decoding: try site.save(), as: UTF8.self))
    } catch {
      return .problem("\(error)", 500)
    }
  }

  private func load(_ body: Data) -> SiteResponse {
    do {
      try site.load(body)
    } catch {
      return .problem("\(error)", 400)
    }
    return done {}
  }

  private func run(_ body: Data) -> SiteResponse {
    do {
      site.run(try JSONDecoder().decode(SiteScript.self, from: body))
    } catch {
      return .problem("The body is not a valid script: \(error)", 400)
    }
    return done {}
  }

  /// Adds a fault, given as JSON in the body or as parameters of the query.
  private func addFault(_ request: SiteRequest, body: Data) -> SiteResponse {
    guard let fault = fault(request, body: body) else {
      let kinds = Fault.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      return .problem("The kind of a fault must be one of: \(kinds).", 400)
    }
    return done { faults.add(fault) }
  }

  private func fault(_ request: SiteRequest, body: Data) -> Fault? {
    guard let kind = request.query["kind"] else {
      // A body that is not a fault produces the list of kinds.
      return try? JSONDecoder().decode(Fault.self, from: body)
    }
    return Fault.Kind(rawValue: kind).map {
      Fault(
        $0, path: request.query["path"], user: request.query["user"],
        share: request.number("share"),
        after: request.number("after"),
        times: request.number("times"), amount: request.number("amount"))
    }
  }

  private func done(_ action: () -> Void) -> SiteResponse {
    action()
    return .done(site)
  }

  private func json(_ value: some Encodable) -> SiteResponse {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      let text = String(decoding: try encoder.encode(value), as: UTF8.self)
      return .json(text)
    } catch {
      return .problem("\(error)", 500)
    }
  }
}
