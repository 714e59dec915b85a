import Foundation
import OpenObjectModel
import Testing

/// Apple documents that a model's localized texts are in `NAMEModel.strings` in the same folder.
@Suite("Texts of a model")
struct ModelTextsTests {
  private let folder: ModelFolder

  init() throws { folder = try ModelFolder() }

  private func model(_ name: String = "Shelf.xcdatamodel") throws -> NSManagedObjectModel {
    let version = try folder.version(name, entities: #"<entity name="Item"/>"#)
    return try NSManagedObjectModel(reading: version)
  }

  @Test("the texts in a document's folder are its localization dictionary")
  func besideDocument() throws {
    #expect(try model("Other/Shelf.xcdatamodel").localizationDictionary == nil)
    try folder.write(
      """
      /* Names of properties. */
      "Property/title" = "Der Titel";
      "ErrorString/no \\"title\\"" = "ohne Titel";
      """, to: "ShelfModel.strings")
    try folder.write(#""Entity/Item" = "another";"#, to: "Model.strings")
    #expect(
      try model().localizationDictionary
        == ["Property/title": "Der Titel", #"ErrorString/no "title""#: "ohne Titel"])
  }

  @Test("texts in the folder of a language are found, also those in UTF-16")
  func languageFolder() throws {
    let file = try folder.write("", to: "en.lproj/ShelfModel.strings")
    try #""Entity/Item" = "Café";"#.write(to: file, atomically: true, encoding: .utf16)
    #expect(try model().localizationDictionary == ["Entity/Item": "Café"])
  }

  @Test("a version has the texts of its model's name, compiled or not")
  func versions() throws {
    try folder.write(#""Entity/Item" = "The item";"#, to: "ShelfModel.strings")
    let expected = ["Entity/Item": "The item"]
    #expect(try model("Shelf.xcdatamodeld/Shelf 2.xcdatamodel").localizationDictionary == expected)
    let container = folder.url.appendingPathComponent("Shelf.xcdatamodeld")
    #expect(NSManagedObjectModel(contentsOf: container)?.localizationDictionary == expected)
    let compiled = folder.url.appendingPathComponent("Shelf.momd")
    let version = CompiledModelFolder.Version(
      name: "Shelf 2", model: LibraryModel.item([]), entityHashes: [:], checksum: "")
    try CompiledModelFolder.write([version], current: "Shelf 2", to: compiled)
    #expect(NSManagedObjectModel(contentsOf: compiled)?.localizationDictionary == expected)
    let mom = compiled.appendingPathComponent("Shelf 2.mom")
    #expect(NSManagedObjectModel(contentsOf: mom)?.localizationDictionary == expected)
  }

  @Test(
    "a table that cannot be read leaves the model without texts",
    arguments: ["\"a\" = ", "(a, b)", "bplist00\u{1}\u{2}", "{ a = (b); }", ""])
  func damagedTable(_ text: String) throws {
    try folder.write(text, to: "ShelfModel.strings")
    let read = try model()
    #expect(read.localizationDictionary?.isEmpty ?? true)
    #expect(read.entities.map(\.name) == ["Item"])
  }
}
