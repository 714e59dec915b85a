import Foundation
import OpenCoreData
import OpenObjectModel
import OpenSwiftData
import Testing

@Suite(
  "Stores of Apple's SwiftData fit the models of equivalent classes",
  .enabled(if: AppleStore.areHere, "the collection of Apple's stores is not here"))
struct AppleStoreTests {
  static let stores: [(name: String, types: [any PersistentModel.Type])] = [
    ("swiftdata-resourcesmanager", [Resources.Item.self]),
    ("swiftdata-metacocktails", [Cocktails.Cocktail.self]),
  ]

  @Test("the entities have the hashes of the store's metadata", arguments: [0, 1])
  func hashes(_ number: Int) throws {
    let store = try AppleStore(Self.stores[number].name)
    defer { try? store.delete() }
    let model = try Schema.model(for: Self.stores[number].types)
    let hashes = try store.hashes()
    #expect(!hashes.isEmpty)
    #expect(model.entityVersionHashesByName == hashes)
  }

  @Test("the model equals the model in the store", arguments: [0, 1])
  func model(_ number: Int) throws {
    let store = try AppleStore(Self.stores[number].name)
    defer { try? store.delete() }
    let cached = try #require(try store.model())
    let own = facts(of: try Schema.model(for: Self.stores[number].types))
    let theirs = facts(of: cached)
    #expect(Set(own).subtracting(theirs).sorted() == [])
    #expect(Set(theirs).subtracting(own).sorted() == [])
  }

  @Test("a store is opened without a migration, and its recipes are read")
  func resources() throws {
    let store = try AppleStore("swiftdata-resourcesmanager")
    defer { try? store.delete() }
    let schema = Schema([Resources.Item.self])
    try openWithoutMigration(store, schema)
    let container = try ModelContainer(
      for: schema, configurations: ModelConfiguration(url: store.url, allowsSave: false))
    let context = ModelContext(container)
    #expect(try context.fetchCount(FetchDescriptor<Resources.Item>()) == 7)
    #expect(try context.fetchCount(FetchDescriptor<Resources.Component>()) == 5)
    let recipes = try context.fetch(FetchDescriptor<Resources.CraftingRecipe>())
    #expect(recipes.count == 4)
    for recipe in recipes {
      #expect(recipe.producedItem == nil || recipe.producedItem?.craftingRecipe === recipe)
      for component in recipe.requiredComponents { #expect(component.craftingRecipe === recipe) }
    }
  }

  @Test("a store is opened without a migration, and all its values are read")
  func cocktails() throws {
    let store = try AppleStore("swiftdata-metacocktails")
    defer { try? store.delete() }
    let schema = Schema(Cocktails.models)
    try openWithoutMigration(store, schema)
    let container = try ModelContainer(
      for: schema, configurations: ModelConfiguration(url: store.url, allowsSave: false))
    let context = ModelContext(container)
    let cocktails = try context.fetch(FetchDescriptor<Cocktails.Cocktail>())
    #expect(cocktails.count == 411)
    #expect(cocktails.count { $0.author != nil } == 391)
    #expect(cocktails.count { $0.author?.person != nil } == 290)
    #expect(cocktails.count { $0.buildOrder != nil } == 140)
    let sidecar = try #require(cocktails.first { $0.cocktailName == "Sidecar" })
    #expect(sidecar.author?.person == "MacGarry")
    #expect(sidecar.author?.place == "Bucks Club, London")
    #expect(sidecar.glasswareType == .other)
    #expect(sidecar.collection == .original)
    #expect(sidecar.variation == .sidecar)
    #expect(sidecar.ice == nil)
    #expect(sidecar.compiledTags.flavors == ["Orange", "Lemon", "White Flower"])
    #expect(
      sidecar.compiledTags.booze?.first
        == Cocktails.Part(name: "Cognac", ingredientType: .brandies("Cognac")))
    let bases = try context.fetch(FetchDescriptor<Cocktails.IngredientBase>())
    #expect(bases.count == 393)
    #expect(bases.contains { $0.prep?.prepRecipe.isEmpty == false })
    #expect(bases.allSatisfy { !$0.isCustom })
    let ingredients = try context.fetch(FetchDescriptor<Cocktails.Ingredient>())
    #expect(ingredients.count == 1866)
    #expect(ingredients.contains { $0.unit == .dash && $0.value == 1 })
    #expect(!context.hasChanges)
  }

  private func openWithoutMigration(_ store: AppleStore, _ schema: Schema) throws {
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: try schema.managedObjectModel())
    let opened = try coordinator.addPersistentStore(
      type: .sqlite, at: store.url,
      options: [
        NSMigratePersistentStoresAutomaticallyOption: false, NSReadOnlyPersistentStoreOption: true,
      ])
    try coordinator.remove(opened)
  }
}
