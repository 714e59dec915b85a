import CoreData
import XCTest

// The tour in README.md as sources in an older language mode, with the file that it makes. The page's own text is compiled by
// Scripts/check-samples.py.

@ManagedObject
public class Recipe: NSManagedObject {
  @Managed public var title: String
  @Managed public var minutes: Int32
  @Managed public var isFavorite: Bool
  @Managed public var addedAt: Date?
  @Managed public var ingredients: Set<Ingredient>
}

extension Recipe {
  @ManagedAccessor public func addToIngredients(_ value: Ingredient)
  @ManagedAccessor public func removeFromIngredients(_ value: Ingredient)
}

@ManagedObject
public class Ingredient: NSManagedObject {
  @Managed public var name: String
  @Managed public var recipe: Recipe?
}

func makeRecipeModel() -> NSManagedObjectModel {
  func attribute(
    _ name: String, _ type: NSAttributeType, optional: Bool = false, default value: Any? = nil
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = optional
    attribute.defaultValue = value
    return attribute
  }
  let recipe = NSEntityDescription()
  recipe.name = "Recipe"
  recipe.managedObjectClassName = "Recipe"
  let ingredient = NSEntityDescription()
  ingredient.name = "Ingredient"
  ingredient.managedObjectClassName = "Ingredient"

  let ingredients = NSRelationshipDescription()
  ingredients.name = "ingredients"
  ingredients.destinationEntity = ingredient
  ingredients.deleteRule = .cascadeDeleteRule
  let owner = NSRelationshipDescription()
  owner.name = "recipe"
  owner.destinationEntity = recipe
  owner.maxCount = 1
  ingredients.inverseRelationship = owner  // both sides name their inverse
  owner.inverseRelationship = ingredients

  recipe.properties = [
    attribute("title", .stringAttributeType),
    attribute("minutes", .integer32AttributeType, default: 0),
    attribute("isFavorite", .booleanAttributeType, default: false),
    attribute("addedAt", .dateAttributeType, optional: true),
    ingredients,
  ]
  ingredient.properties = [attribute("name", .stringAttributeType), owner]
  let model = NSManagedObjectModel()
  model.entities = [recipe, ingredient]
  return model
}

func openRecipes(_ model: NSManagedObjectModel, at url: URL) throws -> NSPersistentContainer {
  let container = NSPersistentContainer(name: "Recipes", managedObjectModel: model)
  container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
  var failure: (any Error)?
  container.loadPersistentStores { _, error in failure = failure ?? error }
  if let failure { throw failure }
  container.viewContext.automaticallyMergesChangesFromParent = true
  return container
}

func addRecipes(to container: NSPersistentContainer) async throws {
  let viewContext = container.viewContext
  try await viewContext.perform {
    let pesto = Recipe(context: viewContext)
    pesto.title = "Pesto"
    pesto.minutes = 10
    pesto.isFavorite = true
    pesto.addedAt = Date()
    for name in ["Basil", "Pine nuts", "Olive oil"] {
      let ingredient = Ingredient(context: viewContext)
      ingredient.name = name
      pesto.addToIngredients(ingredient)  // sets ingredient.recipe too
    }
    let stew = Recipe(context: viewContext)
    stew.title = "Stew"
    stew.minutes = 180
    try viewContext.save()
  }
}

func quickRecipes(in context: NSManagedObjectContext) throws -> [Recipe] {
  let request: NSFetchRequest<Recipe> = Recipe.fetchRequest()
  request.predicate = NSPredicate(
    format: "minutes <= %d AND ANY ingredients.name BEGINSWITH[c] %@", 30, "bas")
  request.sortDescriptors = [NSSortDescriptor(keyPath: \Recipe.title, ascending: true)]
  request.fetchLimit = 20
  request.relationshipKeyPathsForPrefetching = ["ingredients"]
  return try context.fetch(request)
}

func importRecipes(_ titles: [String], into container: NSPersistentContainer) async throws -> Int {
  try await container.performBackgroundTask { context in
    for title in titles {
      let request = NSFetchRequest<Recipe>(entityName: "Recipe")
      request.predicate = NSPredicate(format: "title == %@", title)
      let recipe = try context.fetch(request).first ?? Recipe(context: context)
      recipe.title = title
      recipe.isFavorite = true
    }
    let count = context.insertedObjects.count
    try context.save()
    return count
  }
}

class ReadmeTourTests: XCTestCase {
  private var folder = URL(fileURLWithPath: "")
  private var store: URL { folder.appendingPathComponent("Recipes.sqlite") }

  override func setUpWithError() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  override func tearDownWithError() throws { try FileManager.default.removeItem(at: folder) }

  func testTour() async throws {
    let container = try openRecipes(makeRecipeModel(), at: store)
    try await addRecipes(to: container)
    let viewContext = container.viewContext
    let quick = try await viewContext.perform {
      try quickRecipes(in: viewContext).map { "\($0.title): \($0.ingredients.count)" }
    }
    XCTAssertEqual(quick, ["Pesto: 3"])

    // Used in blocks of its context only.
    nonisolated(unsafe) let stew = try await viewContext.perform {
      let request: NSFetchRequest<Recipe> = Recipe.fetchRequest()
      request.predicate = NSPredicate(format: "title == %@", "Stew")
      let stew = try viewContext.fetch(request).first
      XCTAssertEqual(stew?.isFavorite, false)
      return stew
    }
    let inserted = try await importRecipes(["Stew", "Bread"], into: container)
    XCTAssertEqual(inserted, 1)
    await viewContext.perform(schedule: .enqueued) {
      XCTAssertEqual(stew?.isFavorite, true)
    }
  }

  func testTheFileIsReadBySqlite() async throws {
    let container = try openRecipes(makeRecipeModel(), at: store)
    try await addRecipes(to: container)
    let lines = try sqlite("SELECT Z_PK, Z_OPT, ZTITLE, ZMINUTES FROM ZRECIPE ORDER BY ZTITLE")
    XCTAssertEqual(
      lines.map { $0.split(separator: "|").dropFirst().joined(separator: "|") },
      ["1|Pesto|10", "1|Stew|180"])
  }

  func testAModelFromADocumentOpensTheSameFile() async throws {
    let container = try openRecipes(makeRecipeModel(), at: store)
    try await addRecipes(to: container)
    let versions = folder.appendingPathComponent("Recipes.xcdatamodeld")
    let version = versions.appendingPathComponent("Recipes.xcdatamodel")
    try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
    try Data(Self.document.utf8).write(to: version.appendingPathComponent("contents"))
    let model = try NSManagedObjectModel(reading: versions)
    let viewContext = try openRecipes(model, at: store).viewContext
    let titles = try await viewContext.perform {
      try quickRecipes(in: viewContext).map(\.title)
    }
    XCTAssertEqual(titles, ["Pesto"])
  }

  private func sqlite(_ statement: String) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", store.path, statement]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    if process.terminationStatus == 127 { throw XCTSkip("The sqlite3 command is not installed.") }
    XCTAssertEqual(process.terminationStatus, 0)
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static let document = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Ingredient" representedClassName="Ingredient">
        <attribute name="name" attributeType="String"/>
        <relationship name="recipe" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Recipe" inverseName="ingredients" inverseEntity="Recipe"/>
      </entity>
      <entity name="Recipe" representedClassName="Recipe">
        <attribute name="addedAt" optional="YES" attributeType="Date"/>
        <attribute name="isFavorite" attributeType="Boolean" defaultValueString="NO"/>
        <attribute name="minutes" attributeType="Integer 32" defaultValueString="0"/>
        <attribute name="title" attributeType="String"/>
        <relationship name="ingredients" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Ingredient" inverseName="recipe" inverseEntity="Ingredient"/>
      </entity>
    </model>
    """
}
