import CoreData
import SampleSupport

private let document = """
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

/// The document of the page's model.
let url = {
  let url = sampleFolder.appendingPathComponent("Recipes.xcdatamodel")
  do {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try Data(document.utf8).write(to: url.appendingPathComponent("contents"))
  } catch { preconditionFailure("The document is not written: \(error)") }
  return url
}()

@MainActor func tour() async throws {
  let store = sampleFolder.appendingPathComponent("Recipes.sqlite")
  let container = try openRecipes(makeRecipeModel(), at: store)
  try await addRecipes(to: container)
  let context = container.viewContext
  let quick = try quickRecipes(in: context)
  try expect(quick.map(\.title) == ["Pesto"] && quick.first?.ingredients.count == 3)
  try expect(try await importRecipes(["Stew", "Bread"], into: container) == 1)
  let opened = try openRecipes(try NSManagedObjectModel(reading: url), at: store)
  try expect(try quickRecipes(in: opened.viewContext).map(\.title) == ["Pesto"])
}
