import SwiftData
import Testing

// A module whose declarations are isolated to the main actor by default.

@Model final class Recipe {
  var title: String
  var servings = 4
  @Relationship(deleteRule: .cascade, inverse: \Step.recipe) var steps: [Step] = []
  @Transient var draft = false

  init(title: String) { self.title = title }
}

@Model class Step {
  var text: String
  var recipe: Recipe?

  init(text: String) { self.text = text }
}

@Model final class TimedStep: Step {
  var minutes: Int

  init(text: String, minutes: Int) {
    self.minutes = minutes
    super.init(text: text)
  }
}

/// Declares the conformance itself, which `@Model` does not replace.
@Model final class Label: CustomReflectable, CustomDebugStringConvertible {
  var text: String
  var customMirror: Mirror { Mirror(self, children: ["own": text]) }
  var debugDescription: String { "own \(text)" }

  init(text: String) { self.text = text }
}

@Suite("Models in a module that belongs to the main actor")
struct MainActorModelTests {
  @Test("a model is used on the main actor")
  func mainActor() throws {
    let container = try ModelContainer(
      for: Recipe.self, Step.self, TimedStep.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let recipe = Recipe(title: "Soup")
    recipe.steps.append(TimedStep(text: "boil", minutes: 10))
    container.mainContext.insert(recipe)
    try container.mainContext.save()
    #expect(recipe.title == "Soup")
    #expect((recipe.steps.first as? TimedStep)?.minutes == 10)
  }

  @Test("a model is created and used off the main actor")
  func elsewhere() async {
    let title = await Task.detached { Self.titleOfNewRecipe() }.value
    #expect(title == "Stew")
  }

  private nonisolated static func titleOfNewRecipe() -> String {
    let recipe = Recipe(title: "Soup")
    recipe.title = "Stew"
    recipe.servings += 1
    return recipe.title
  }

  @Test("generic code off the main actor uses a model by its protocol")
  func generics() async {
    let names = await Task.detached { Self.names(of: TimedStep.self) }.value
    #expect(names.contains("TimedStep"))
  }

  @Test("the debugger shows models, with their custom descriptions if they have one")
  func texts() {
    #expect(String(reflecting: Recipe(title: "Soup")).contains("title = \"Soup\";"))
    #expect(String(reflecting: Label(text: "a")) == "own a")
    #expect(Mirror(reflecting: Label(text: "a")).children.first?.label == "own")
  }

  private nonisolated static func names<Model: PersistentModel>(of type: Model.Type) -> [String] {
    Schema([type]).entities.map(\.name)
  }
}
