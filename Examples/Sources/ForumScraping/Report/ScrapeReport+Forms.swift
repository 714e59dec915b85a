import ForumHTML

extension FormPage {
  func reportFacts() -> [String: ReportValue] {
    let iconName = icons.primaryName.isEmpty ? "iconid" : icons.primaryName
    var facts: [String: ReportValue] = [
      "form": .object(form.reportFacts(leavingOut: iconName)),
      "primaryCount": .number(icons.primary.count),
      "primaryFirst": icons.primary.first?.report ?? .null,
      "primaryLast": icons.primary.last?.report ?? .null,
      "primaryFormName": .text(icons.primaryName),
      "secondary": .list(icons.secondary.map(\.report)),
      "secondaryFormName": .text(icons.secondaryName),
      "maxFileSize": .number(largestFileInBytes),
      "preview": .list(form.chosenEntries(pressing: "preview").map(\.report)),
    ]
    if kind == .ignoreListForm {
      facts["usernames"] = .texts(ignoredNames)
      facts["emptySlots"] = .number(emptyIgnoreSlots)
    }
    return facts
  }
}

extension ScrapedForm {
  func reportFacts(leavingOut iconName: String) -> [String: ReportValue] {
    let button = controls.first { $0.kind == .submit && $0.name.lowercased() == "submit" }?.name
    let pressed = button ?? "submit"
    let others = controls.filter { !($0.kind == .radio && $0.name == iconName) }
    return [
      "action": .text(action), "method": .text(method), "enctype": .text(encodingType),
      "controlCount": .number(controls.count),
      "controlsWithoutIcons": .list(others.map(\.report)), "submissionWith": .text(pressed),
      "submission": .list(chosenEntries(pressing: pressed).map(\.report)),
    ]
  }
}

extension ScrapedForm.Entry {
  var report: ReportValue { .texts([name, value]) }
}

extension FormControl {
  var report: ReportValue {
    var facts: [String: ReportValue] = [
      "kind": .text(kind.rawValue), "name": .text(name), "value": .text(value),
    ]
    if let isChosen { facts[kind == .option ? "selected" : "checked"] = .flag(isChosen) }
    if isDisabled { facts["disabled"] = .flag(true) }
    return .object(facts)
  }
}

extension SearchFormPage {
  func reportFacts() -> [String: ReportValue] {
    let depths = Dictionary(grouping: forums) { String($0.depth) }
    return [
      "forumCount": .number(forums.count),
      "byDepth": .object(depths.mapValues { .number($0.count) }),
      "hintCount": .number(hints.count), "firstHint": .text(hints.first),
      "checked": .texts(forums.filter(\.isChosen).map(\.id)), "message": .text(message),
      "forums": .list(forums.map(\.report)),
    ]
  }
}

extension SearchFormPage.Forum {
  var report: ReportValue {
    .object([
      "forumID": .text(id), "name": .text(name), "depth": .number(depth),
      "parents": .texts(parentIDs), "checked": .flag(isChosen),
    ])
  }
}

extension SearchResultsPage {
  func reportFacts() throws -> [String: ReportValue] {
    [
      "info": .text(summary), "page": .number(pages.page), "pageCount": .number(pages.count),
      "queryID": .text(queryID), "results": .list(try hits.map { try .object($0.reportFacts()) }),
    ]
  }
}

extension SearchResultsPage.Hit {
  func reportFacts() throws -> [String: ReportValue] {
    [
      "number": .text(number), "threadTitle": .text(threadTitle), "postID": .text(postID),
      "forumTitle": .text(forumTitle), "username": .text(userName), "hitInfo": .text(dateLine),
      "blurbText": .text(try ScrapeReport.text(of: blurbHTML)),
    ]
  }
}
