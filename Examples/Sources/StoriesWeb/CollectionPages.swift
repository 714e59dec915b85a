import Foundation
import StoriesCore
import WebPages

/// The pages about collections: the list with progress, one collection, and the confirmation before a deletion.
struct CollectionPages: Sendable {
  let parts: StoryParts

  /// Returns the response to a request for collections; nil for other requests.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    let path = request.path
    guard path.first == "collections" else { return nil }
    if path.count == 1 {
      if request.method == .get { return try await list() }
      _ = try await parts.library.addCollection(named: request.typed("name"))
      return .redirect("/collections")
    }
    guard let id = UUID(uuidString: path[1]) else { return nil }
    switch (request.method, path.dropFirst(2).first, path.count) {
    case (.get, nil, 2): return try await collection(id)
    case (.get, "delete", 3): return try await question(id)
    case (.post, "delete", 3):
      guard let deletion = request.form["do"].flatMap(CollectionDeletion.init) else {
        return .redirect("/collections/\(id.uuidString)/delete")
      }
      try await parts.library.deleteCollection(id, deletion)
      return .redirect("/collections")
    case (.post, "stories", 3):
      if let story = request.form["story"].flatMap(UUID.init(uuidString:)) {
        if request.form["do"] == "remove" {
          try await parts.library.remove([story], from: id)
        } else {
          try await parts.library.add([story], to: id)
        }
      }
      return .redirect("/collections/\(id.uuidString)")
    default: return nil
    }
  }

  private func list() async throws -> WebAnswer {
    let library = parts.library
    let shown = try await parts.show("collections", key: "collections") {
      try await library.allCollections().map(Self.row)
    }
    return parts.live("Collections", path: "/collections", shown) {
      shown.markup(empty: "There are no collections yet.")
      Markup.form(to: "/collections", back: "/collections") {
        Markup.field("name", "New collection", value: "")
        element(.button) { "Add" }
      }
    }
  }

  private static func row(_ collection: CollectionValue) -> LiveRow {
    let id = "collection-\(collection.id.uuidString)"
    let path = "/collections/\(collection.id.uuidString)"
    let markup = element(.li, .id(id), .class("collection")) {
      element(.a, .href(path)) { collection.name }
      element(.span, .class("muted")) { stories(collection.storyIDs.count) }
      element(
        .progress, .label("Read"), Attribute("max", "100"),
        Attribute("value", "\(percent(collection))")
      ) { "" }
      element(.span) { "\(percent(collection)) %" }
      element(.a, .href("\(path)/delete")) { "Delete…" }
    }
    return LiveRow(id: id, markup: markup)
  }

  private static func stories(_ count: Int) -> String {
    Wording.count(count, "story", plural: "stories")
  }

  private static func percent(_ collection: CollectionValue) -> Int {
    Int((min(1, max(0, collection.progress)) * 100).rounded(.down))
  }

  private func collection(_ id: UUID) async throws -> WebAnswer {
    let library = parts.library
    let collection = try await library.collection(id)
    var query = StoryQuery()
    query.collectionID = id
    query.order = .oldest
    let wanted = query
    let shown = try await parts.show("shelf", key: "collection/\(id.uuidString)") {
      try await library.rows(wanted).map(StoryPages.row)
    }
    let members = Set(collection.storyIDs)
    let all = try await library.rows()
    let path = "/collections/\(id.uuidString)"
    let facts = Self.facts(collection)
    return parts.live(collection.name, path: path, shown) {
      Markup.up("/collections", "Collections")
      if !facts.isEmpty { element(.p, .class("muted")) { facts } }
      shown.markup(empty: "This collection has no stories.")
      Self.membership("add", "Add a story", all.filter { !members.contains($0.id) }, path)
      Self.membership("remove", "Remove a story", all.filter { members.contains($0.id) }, path)
      element(.p) { element(.a, .href("\(path)/delete")) { "Delete this collection…" } }
    }
  }

  /// Returns the description, the area of growth and the age group of a collection in one line.
  private static func facts(_ collection: CollectionValue) -> String {
    let facts = [
      collection.descriptionText, collection.growthCategory?.rawValue.capitalized,
      collection.targetAgeGroup.map { StoryParts.name(of: $0) },
    ]
    return Wording.list(facts.compactMap(\.self).filter { !$0.isEmpty })
  }

  @MarkupBuilder
  private static func membership(
    _ action: String, _ label: String, _ stories: [StoryRow], _ path: String
  ) -> Markup {
    if !stories.isEmpty {
      Markup.form(to: "\(path)/stories", back: path) {
        element(.div, .class("membership")) {
          element(.select, Attribute("name", "story"), .label(label)) {
            for story in stories {
              element(.option, Attribute("value", story.id.uuidString)) { story.title }
            }
          }
          element(.button, .class("quiet"), Attribute("name", "do"), Attribute("value", action)) {
            label
          }
        }
      }
    }
  }

  private func question(_ id: UUID) async throws -> WebAnswer {
    let question = try await parts.library.question(beforeDeleting: id)
    let (stories, shared) = (question.collection.storyIDs.count, question.sharedStories)
    let path = "/collections/\(id.uuidString)"
    return .page(
      StoryParts.plain("Delete “\(question.collection.name)”?") {
        Markup.up(path, "Back to the collection")
        element(.p) {
          "The collection has \(Self.stories(stories)). "
          shared == 0 ? "" : "Stories that are also in other collections: \(shared)."
        }
        Markup.form(to: "\(path)/delete", back: "/collections") {
          element(.div, .class("buttons")) {
            Self.button(.keepingStories, "Delete collection")
            Self.button(.withStories, "Delete with stories")
          }
        }
      })
  }

  private static func button(_ deletion: CollectionDeletion, _ text: String) -> Markup {
    element(
      .button, .class("quiet"), Attribute("name", "do"), Attribute("value", deletion.rawValue)
    ) { text }
  }
}
