import ForumHTML
import Foundation
import HostileMarkup
import StoriesCore
import StoriesWeb
import Testing
import WebTestClient

/// The pages of the reading application, without any script.
@Suite("Pages of the reading application", .serialized)
struct StoryPagesTests {
  private func titles(_ page: HTMLDocument) throws -> [String] {
    try page.select("#shelf .title").map(\.text)
  }

  @Test(
    "the shelf searches, filters and sorts by its address, and an empty shelf shows what to do")
  func shelf() async throws {
    try await StoriesTrial.run { trial in
      #expect(try await trial.page("/").first(".empty")?.text.contains("Create a story") == true)
      let owl = try await trial.add("Owl", "An owl flew. It slept.")
      _ = try await trial.add("Bear")
      try await trial.library.setFavorite(true, owl)
      #expect(try titles(try await trial.page("/?sort=title")) == ["Bear", "★ Owl"])
      #expect(try titles(try await trial.page("/?search=FLEW")) == ["★ Owl"])
      #expect(try titles(try await trial.page("/?favourites=1")) == ["★ Owl"])
      #expect(try titles(try await trial.page("/?category=courage")).isEmpty)
      let young = StoryText(title: "Cub", content: "A cub slept.", ageGroup: .threeToFive)
      let cub = try await trial.library.add(young).id
      #expect(try titles(try await trial.page("/?age=0")) == ["Cub"])
      #expect(try titles(try await trial.page("/?age=1&sort=title")) == ["Bear", "★ Owl"])
      #expect(try await trial.page("/?age=0").first("#age option[selected]")?["value"] == "0")
      try await trial.library.deleteStories([cub])
      #expect(
        try titles(try await trial.page("/?category=bedtime&sort=nonsense&page=-3")).count == 2)
    }
  }

  @Test("a story is read page by page to its end, which counts and earns")
  func reading() async throws {
    try await StoriesTrial.run { trial in
      let text = StoryGenerator().story(for: StoryRequest(childName: "Ada", length: .long), seed: 3)
      let story = try await trial.library.add(text)
      let path = "/stories/\(story.id.uuidString)"
      var page = try await trial.page(path)
      #expect(try page.first("[rel=prev]") == nil)
      var texts = [try #require(try page.first(".leaf")).text]
      while let next = try page.first("[rel=next]")?["href"] {
        page = try await trial.page(next)
        #expect(try page.first("[rel=prev]") != nil)
        texts.append(try #require(try page.first(".leaf")).text)
      }
      #expect(texts == story.pages.map(\.displayText) && texts.count > 2)
      let end = try #require(try page.first("form[action='\(path)/read']"))
      #expect(try await trial.submit(end).headers["location"] == "/achievements")
      let earned = try await trial.page("/achievements").select("#achievements .title").map(\.text)
      #expect(earned == ["First story"])
      #expect(try await trial.library.rows().map(\.readCount) == [1])
      #expect(try await trial.get("\(path)?page=999999").status == 200)
      #expect(try await trial.get("/stories/\(UUID().uuidString)").status == 404)
    }
  }

  @Test("a story without text, which the first version allowed, is read to its end")
  func withoutText() async throws {
    try await StoriesTrial.run { trial in
      let id = UUID()
      let story = #"{"id": "\#(id.uuidString)", "title": "Blank", "content": "", "createdAt": 1}"#
      let file = #"{"format": "magical-stories", "version": 1, "stories": [\#(story)]}"#
      _ = try await StoryExchange(trial.library.store).importLibrary(Data(file.utf8))
      let path = "/stories/\(id.uuidString)"
      let page = try await trial.page(path)
      let end = try #require(try page.first("form[action='\(path)/read']"))
      #expect(try await trial.submit(end).status == 303)
      #expect(try await trial.library.storedStory(id).readCount == 1)
    }
  }

  @Test("favourites and notes are set by forms, which lead back to the page")
  func favouriteAndNote() async throws {
    try await StoriesTrial.run { trial in
      let id = try await trial.add("Owl")
      let path = "/stories/\(id.uuidString)"
      let page = try await trial.page(path)
      let favourite = try #require(try page.first("form[action='\(path)/favourite']"))
      let note = try #require(try page.first("form[action='\(path)/note']"))
      #expect(
        try await trial.submit(favourite, ["do": "add"]).headers["location"] == "\(path)?page=1")
      _ = try await trial.submit(note, ["note": "two\nlines"])
      let row = try #require(try await trial.library.rows().first)
      #expect(row.isFavorite && row.notes == "two\nlines")
    }
  }

  @Test("if two windows edit a story, the second shows both texts and asks")
  func conflict() async throws {
    try await StoriesTrial.run { trial in
      let id = try await trial.add("Owl", "Long ago.")
      let path = "/stories/\(id.uuidString)/edit"
      let first = try #require(try await trial.page(path).first(".writing"))
      let second = try #require(try await trial.page(path).first(".writing"))
      #expect(try await trial.submit(first, ["content": "The first text."]).status == 303)
      let told = try await trial.submit(second, ["content": "The second text.", "title": "Mine"])
      #expect(told.status == 409)
      let page = try HTMLParser.parse(told.text)
      #expect(try page.first("[role=alert]") != nil)
      #expect(try page.first(".conflict .typed")?.text.contains("The first text.") == true)
      let form = try #require(try page.first(".writing"))
      #expect(try form.first("textarea")?.text == "The second text.")
      #expect(try await trial.library.story(id).content == "The first text.")
      #expect(try await trial.submit(form).status == 303)
      let story = try await trial.library.story(id)
      #expect(story.content == "The second text." && story.title == "Mine")
      let fresh = try #require(try await trial.page(path).first(".writing"))
      let refused = try await trial.submit(fresh, ["title": " ", "content": "Kept."])
      #expect(refused.status == 422)
      #expect(try HTMLParser.parse(refused.text).first("textarea")?.text == "Kept.")
    }
  }

  @Test("the form leaves a text unchanged that the reader does not change")
  func unchangedText() async throws {
    try await StoriesTrial.run { trial in
      let text = (1...40).map { "Paragraph \($0) of the story." }.joined(separator: "\n\n")
      let id = try await trial.add("Owl", text)
      let form = try #require(
        try await trial.page("/stories/\(id.uuidString)/edit").first(".writing"))
      #expect(try await trial.submit(form, ["title": "Eagle"]).status == 303)
      let story = try await trial.library.storedStory(id)
      #expect(story.title == "Eagle" && story.content == text && story.pages.count > 2)
    }
  }

  @Test("a form keeps the line breaks of single-line values that the reader does not change")
  func lineBreaks() async throws {
    try await StoriesTrial.run { trial in
      let text = StoryText(
        title: "Owl\nand Fox", content: "Once.", theme: "bed\r\ntime", mainCharacter: "Owl")
      let id = try await trial.library.add(text).id
      let form = try #require(
        try await trial.page("/stories/\(id.uuidString)/edit").first(".writing"))
      #expect(try await trial.submit(form, ["content": "Twice."]).status == 303)
      let story = try await trial.library.storedStory(id)
      #expect((story.title, story.theme) == ("Owl\nand Fox", "bed\r\ntime"))
      #expect((story.mainCharacter, story.content) == ("Owl", "Twice."))
      try await trial.library.updateProfile {
        $0.childName = "Ada\nLovelace"
        $0.interests = ["old\nmaps, too", "owls"]
      }
      let settings = try #require(try await trial.page("/profile").first(".writing"))
      #expect(try await trial.submit(settings, ["voice": "Anna"]).status == 303)
      let profile = try await trial.library.profile()
      #expect(profile.childName == "Ada\nLovelace")
      #expect(profile.settings.preferredVoice == "Anna")
      #expect(profile.interests == ["old\nmaps, too", "owls"])
    }
  }

  @Test("a form without a valid age group leaves the story's age group unchanged")
  func unknownAgeGroup() async throws {
    try await StoriesTrial.run { trial in
      let text = StoryText(
        title: "Owl", content: "Once.", ageGroup: .nineToTwelve, theme: "bedtime")
      let id = try await trial.library.add(text).id
      let form = try #require(
        try await trial.page("/stories/\(id.uuidString)/edit").first(".writing"))
      #expect(try await trial.submit(form, ["title": "Eagle", "age": "99"]).status == 303)
      let story = try await trial.library.storedStory(id)
      #expect(story.title == "Eagle" && story.ageGroup == .nineToTwelve)
    }
  }

  @Test("text typed for a story that has since been deleted is saved as a new story")
  func deletedMeanwhile() async throws {
    try await StoriesTrial.run { trial in
      let id = try await trial.add("Owl", "Long ago.")
      let path = "/stories/\(id.uuidString)"
      let form = try #require(try await trial.page("\(path)/edit").first(".writing"))
      let delete = try #require(try await trial.page(path).first("form[action='\(path)/delete']"))
      #expect(try await trial.submit(delete).status == 303)
      let told = try await trial.submit(form, ["content": "Typed."])
      #expect(told.status == 409)
      let again = try #require(try HTMLParser.parse(told.text).first(".writing"))
      #expect(try await trial.submit(again, ["title": ""]).status == 422)
      let saved = try await trial.submit(again)
      let page = try await trial.page(try #require(saved.headers["location"]))
      #expect(try page.first(".leaf")?.text == "Typed.")
    }
  }

  @Test("if two windows write a note, the second shows both notes and asks")
  func noteConflict() async throws {
    try await StoriesTrial.run { trial in
      let id = try await trial.add("Owl")
      let path = "/stories/\(id.uuidString)"
      func form() async throws -> HTMLElement {
        try #require(try await trial.page(path).first("form[action='\(path)/note']"))
      }
      let (first, second, third) = (try await form(), try await form(), try await form())
      #expect(try await trial.submit(first, ["note": "one\nnote"]).status == 303)
      #expect(try await trial.submit(second, ["note": "one\nnote"]).status == 303)
      let told = try await trial.submit(third, ["note": "mine"])
      #expect(told.status == 409)
      let page = try HTMLParser.parse(told.text)
      #expect(try page.first(".conflict .typed")?.text.contains("one\nnote") == true)
      #expect(try await trial.library.story(id).notes == "one\nnote")
      let again = try #require(try page.first("form[action='\(path)/note']"))
      #expect(try again.first("textarea")?.text == "mine")
      #expect(try await trial.submit(again).status == 303)
      #expect(try await trial.library.story(id).notes == "mine")
      try await trial.library.deleteStories([id])
      let lost = try await trial.submit(again, ["note": "typed for nothing"])
      #expect(lost.status == 409 && lost.text.contains("typed for nothing"))
      await #expect(throws: StoriesError.self) {
        try await trial.library.editNotes(id, from: "", to: "typed")
      }
    }
  }

  @Test("if two windows change the profile, the second shows both and asks")
  func profileConflict() async throws {
    try await StoriesTrial.run { trial in
      let first = try #require(try await trial.page("/profile").first(".writing"))
      let second = try #require(try await trial.page("/profile").first(".writing"))
      #expect(try await trial.submit(first, ["name": "Ada", "interests": "owls"]).status == 303)
      let told = try await trial.submit(second, ["name": "Bea", "interests": "maps"])
      #expect(told.status == 409)
      let page = try HTMLParser.parse(told.text)
      #expect(try page.first(".conflict .typed")?.text.contains("Ada") == true)
      #expect(try await trial.library.profile().childName == "Ada")
      let again = try #require(try page.first(".writing"))
      #expect(try again.first("#name")?["value"] == "Bea")
      #expect(try await trial.submit(again).status == 303)
      let profile = try await trial.library.profile()
      #expect(profile.childName == "Bea" && profile.interests == ["maps"])
    }
  }

  @Test("the generator's form creates the same story for the same seed, and rejects invalid seeds")
  func generator() async throws {
    try await StoriesTrial.run { trial in
      let form = try #require(try await trial.page("/new").first(".writing"))
      let typed = ["name": "Ada", "theme": "courage", "length": "short", "seed": "12"]
      for _ in 0..<2 { #expect(try await trial.submit(form, typed).status == 303) }
      let rows = try await trial.library.rows()
      #expect(rows.count == 2 && Set(rows.map(\.title)).count == 1)
      #expect(rows.allSatisfy { $0.theme == "courage" && $0.mainCharacter == "Ada" })
      let refused = try await trial.submit(form, ["name": "Ada", "seed": "-1"])
      #expect(refused.status == 422)
      #expect(try HTMLParser.parse(refused.text).first("#seed")?["value"] == "-1")
      #expect(try await trial.library.count() == 2)
    }
  }

  @Test("collections show progress, and are deleted alone or with their stories")
  func collections() async throws {
    try await StoriesTrial.run { trial in
      let (one, two) = (try await trial.add("One"), try await trial.add("Two"))
      for (name, deletion, left) in [("A", "keepingStories", 2), ("B", "withStories", 0)] {
        let form = try #require(try await trial.page("/collections").first("main form"))
        _ = try await trial.submit(form, ["name": name])
        let id = try #require(try await trial.library.allCollections().first).id
        let path = "/collections/\(id.uuidString)"
        for story in [one, two] {
          _ = try await trial.post("\(path)/stories", ["do": "add", "story": story.uuidString])
        }
        if left == 2 { _ = try await trial.library.finishReading(one) }
        #expect(try await trial.page("/collections").first("progress")?["value"] == "50")
        let question = try #require(try await trial.page("\(path)/delete").first("main form"))
        #expect(try await trial.submit(question, ["do": "nonsense"]).status == 303)
        #expect(try await trial.library.allCollections().count == 1)
        _ = try await trial.submit(question, ["do": deletion])
        #expect(try await trial.library.allCollections().isEmpty)
        #expect(try await trial.library.count() == left)
      }
      let form = try #require(try await trial.page("/collections").first("main form"))
      #expect(try await trial.submit(form, ["name": "  "]).status == 422)
    }
  }

  @Test("the page of a collection shows its description, its area of growth and its age group")
  func collectionFacts() async throws {
    try await StoriesTrial.run { trial in
      let described = try await trial.library.addCollection(
        named: "Evening", descriptionText: "For the end of the day", growthCategory: .courage,
        targetAgeGroup: .threeToFive)
      let page = try await trial.page("/collections/\(described.id.uuidString)")
      #expect(
        try page.first("main .muted")?.text == "For the end of the day · Courage · 3 to 5 years")
      let plain = try await trial.library.addCollection(named: "Plain", descriptionText: "")
      let other = try await trial.page("/collections/\(plain.id.uuidString)")
      #expect(try other.first("main .muted") == nil)
    }
  }

  @Test("the profile is changed by a form, and the generator begins with it")
  func profile() async throws {
    try await StoriesTrial.run { trial in
      let form = try #require(try await trial.page("/profile").first(".writing"))
      _ = try await trial.submit(form, ["name": "Ada", "interests": "owls, , maps"])
      #expect(try await trial.library.profile().interests == ["owls", "maps"])
      #expect(try await trial.page("/new").first("#name")?["value"] == "Ada")
    }
  }

  @Test("an interest with a comma stays one interest if the form changes only the name")
  func interestWithComma() async throws {
    try await StoriesTrial.run { trial in
      try await trial.library.updateProfile {
        $0.interests = ["a, b", "c"]
        $0.favoriteCharacters = ["Tom, the cat"]
      }
      let form = try #require(try await trial.page("/profile").first(".writing"))
      #expect(try await trial.submit(form, ["name": "Ada"]).status == 303)
      let profile = try await trial.library.profile()
      #expect((profile.childName, profile.interests) == ("Ada", ["a, b", "c"]))
      #expect(profile.favoriteCharacters == ["Tom, the cat"])
    }
  }

  @Test("hostile texts stay text on every page")
  func hostile() async throws {
    try await StoriesTrial.run { trial in
      var ids: [UUID] = []
      for vector in HostileMarkup.vectors {
        let text = StoryText(
          title: "T \(vector)", content: "C \(vector)", theme: vector, mainCharacter: vector)
        ids.append(try await trial.library.add(text).id)
      }
      for id in ids { try await trial.library.setNotes(HostileMarkup.vectors.joined(), id) }
      let collection = try await trial.library.addCollection(named: HostileMarkup.vectors.joined())
      try await trial.library.add(ids, to: collection.id)
      let last = try #require(ids.last)
      var paths = ["/", "/?page=2&search=%3Cscript%3E", "/collections"]
      paths += [
        "/collections/\(collection.id.uuidString)",
        "/collections/\(collection.id.uuidString)/delete",
      ]
      paths +=
        ids.prefix(12).map { "/stories/\($0.uuidString)" } + ["/stories/\(last.uuidString)/edit"]
      for path in paths {
        let page = try await trial.page(path)
        let isReader = try page.first(".leaf") != nil
        let scripts = ["/live.js"] + (isReader ? ["/reader.js"] : [])
        #expect(try page.select("script").map { $0["src"] ?? "" } == scripts, "\(path)")
        for element in page.root.descendants {
          #expect(!element.attributes.contains { $0.name.hasPrefix("on") || $0.name == "style" })
          #expect(
            !["iframe", "object", "embed", "svg", "base", "img"].contains(element.name), "\(path)")
          for address in ["href", "src", "action"].compactMap({ element[$0] }) {
            #expect(address.hasPrefix("/") || address.hasPrefix("#"), "\(address)")
          }
        }
      }
      #expect(try await trial.get("/stories/\(last.uuidString)/nonsense").status == 404)
      #expect(try await trial.get("/stories/nonsense").status == 404)
    }
  }
}
