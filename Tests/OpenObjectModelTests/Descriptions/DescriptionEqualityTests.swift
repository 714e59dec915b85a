import Foundation
import OpenObjectModel
import OpenPredicates
import Testing

import class OpenPredicates.NSExpression

@Suite("Equality of descriptions")
struct DescriptionEqualityTests {
  @Test("models, entities and properties with the same contents are equal")
  func equal() throws {
    let (one, other) = (LibraryModel(), LibraryModel())
    #expect(one.model == other.model && one.model.hash == other.model.hash)
    #expect(one.model.entitiesByName == other.model.entitiesByName)
    #expect(one.book == other.book && one.author == other.author)
    #expect(Set([one.book, other.book]).count == 1)
    let copy = try #require(one.model.copy() as? NSManagedObjectModel)
    #expect(copy == one.model)
    #expect(one.book != one.atlas && one.author != one.works)
  }

  @Test("a difference in an entity or a property makes models and entities unequal")
  func unequal() {
    let changes: [(name: String, change: (LibraryModel) -> Void)] = [
      ("class", { $0.book.managedObjectClassName = "Volume" }),
      ("renaming", { $0.book.renamingIdentifier = "Volume" }),
      ("user info", { $0.book.userInfo = ["key": "value"] }),
      ("constraint", { $0.person.uniquenessConstraints = [["name"]] }),
      ("index", { $0.note.indexes = [NSFetchIndexDescription(name: "index", elements: nil)] }),
      ("property", { $0.note.properties.append(LibraryModel.attribute("date", .date)) }),
      ("optional", { $0.author.isOptional = false }),
      ("delete rule", { $0.works.deleteRule = .denyDeleteRule }),
      ("type", { $0.note.attributesByName["text"]?.type = .uri }),
      ("default", { $0.note.attributesByName["text"]?.defaultValue = "none" }),
    ]
    for (name, change) in changes {
      let (one, other) = (LibraryModel(), LibraryModel())
      change(other)
      #expect(one.model != other.model, "\(name)")
      #expect(one.model.entitiesByName != other.model.entitiesByName, "\(name)")
    }
  }

  @Test("configurations, fetch requests and version identifiers belong to the contents of a model")
  func models() {
    let (one, other) = (LibraryModel(), LibraryModel())
    other.model.versionIdentifiers = ["2"]
    #expect(one.model != other.model)
    other.model.versionIdentifiers = []
    other.model.setEntities([other.note], forConfigurationName: "Local")
    #expect(one.model != other.model)
    one.model.setEntities([one.note], forConfigurationName: "Local")
    #expect(one.model == other.model)
  }

  @Test("default values and expressions are compared by their contents")
  func values() {
    let (one, other) = (
      LibraryModel.attribute("bytes", .binaryData), LibraryModel.attribute("bytes", .binaryData)
    )
    #expect(one == other)
    (one.defaultValue, other.defaultValue) = (Data([1]), Data([2]))
    #expect(one != other)
    other.defaultValue = Data([1])
    #expect(one == other)
    for attribute in [one, other] {
      attribute.type = .transformable
      attribute.defaultValue = ["a": 1, "b": 2]
    }
    #expect(one == other)
    other.defaultValue = ["a": 1, "b": 3]
    #expect(one != other)
    let (sum, count) = (NSExpressionDescription(), NSExpressionDescription())
    #expect(sum == count)
    count.expression = NSExpression(format: "pages.@count")
    #expect(sum != count)
  }
}
