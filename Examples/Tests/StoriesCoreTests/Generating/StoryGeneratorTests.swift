import Foundation
import StoriesCore
import Testing

@Suite("Generated stories")
struct StoryGeneratorTests {
  private let request = StoryRequest(
    childName: "Mia", interests: ["dinosaurs"], characters: ["dragon"], ageGroup: .sixToEight,
    theme: .curiosity, length: .short)

  @Test("a request and a seed generate this story")
  func golden() {
    let story = StoryGenerator().story(for: request, seed: 2026)
    #expect(story.title == Self.goldenTitle)
    #expect(story.content == Self.goldenText)
    #expect((story.theme, story.mainCharacter, story.ageGroup) == ("curiosity", "Mia", .sixToEight))
  }

  static let goldenTitle = "Mia Asks Why"
  static let goldenText = """
    Mia asked a hundred questions a day. On a morning that was washed clean by the rain, question number seven was the best one: “What is that?” For there, at the back of the garden, was the Blue Footprint.

    On the shelf above Mia's bed there was hardly any room left, because everything on it had to do with dinosaurs. The dragon had helped to collect most of it.

    “It has always been there,” said some. “It is nothing,” said others. Mia did not think that these were answers. An answer makes you say “Oh!”, and nobody had said “Oh!”

    Then they asked the gardener, who knew a great deal. “I do not know,” said the gardener. “Is that not exciting?”

    Mia turned the notebook round. Sometimes an answer has been lying there all the time, only upside down.

    They told everyone at the back of the garden what they had found out. People clapped. But the nicest thing was on the last page of the notebook, where Mia had written: Three new questions. Tomorrow.

    And if you go there on a quiet evening, you may still hear them laughing.
    """

  @Test(
    "stories of every theme, length and age are whole English texts", arguments: StoryTheme.allCases
  )
  func everyKind(_ theme: StoryTheme) async throws {
    for length in StoryLength.allCases {
      for age in AgeGroup.allCases {
        for seed in UInt64(0)..<40 {
          let request = StoryRequest(
            childName: "Mia", interests: ["the sea"], characters: ["a brave knight"],
            ageGroup: age, theme: theme, length: length)
          let story = StoryGenerator().story(for: request, seed: seed)
          let text = story.title + "\n" + story.content
          #expect(!text.contains("{") && !text.contains("}"), "\(text)")
          #expect(!text.contains("  ") && !text.contains("the the ") && !text.contains("the a "))
          #expect(story.content.contains("Mia") || story.title.contains("Mia"))
          #expect(!text.contains("a brave knight"), "an article came twice: \(text)")
          for sentence in story.content.components(separatedBy: ". ") {
            #expect(sentence.first { $0.isLetter }?.isUppercase == true, "\(sentence)")
          }
        }
      }
    }
  }

  @Test("longer stories have more pages")
  func lengths() async throws {
    let library = try TrialLibrary().library
    var pages: [Int] = []
    for length in StoryLength.allCases {
      var request = request
      request.length = length
      let text = StoryGenerator().story(for: request, seed: 5)
      pages.append(try await library.add(text).pages.count)
    }
    #expect(pages[0] >= 2 && pages[0] < pages[1] && pages[1] < pages[2], "\(pages)")
  }

  @Test("the same seed generates the same story, other seeds nearly always another")
  func seeds() {
    let texts = (UInt64(0)..<200).map { StoryGenerator().story(for: request, seed: $0).content }
    #expect(
      texts == (UInt64(0)..<200).map { StoryGenerator().story(for: request, seed: $0).content })
    #expect(Set(texts).count > 100)
  }

  @Test("missing profile values are filled in; existing values are one line")
  func profiles() {
    let empty = StoryGenerator().story(
      for: StoryRequest(childName: " \n", interests: [""], characters: [" "]), seed: 1)
    #expect(empty.mainCharacter == "Robin")
    #expect(!empty.content.contains("{"))
    let odd = StoryGenerator().story(
      for: StoryRequest(
        childName: "{friend}\n\nX", interests: ["{hero}"], characters: ["Élodie <b>"]), seed: 1)
    #expect(odd.mainCharacter == "{friend} X")
    #expect(odd.content.contains("{hero}"))
    #expect(odd.content.contains("Élodie <b>"))
  }
}
