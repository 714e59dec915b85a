import Foundation
import OpenObjectModel
import OpenPredicates
import Testing

@Suite("Archives of models")
struct ModelArchiveTests {
  static let dialects: [ModelArchive.Dialect] = [.mom, .cache]

  @Test("a model is read back unchanged", arguments: dialects)
  func roundTrip(_ dialect: ModelArchive.Dialect) throws {
    let model = ArchiveSample.model()
    let read = try ModelArchive.read(ModelArchive.write(model, dialect: dialect), path: "M.mom")
    #expect(ModelDump.lines(read) == ModelDump.lines(model))
    #expect(read.entities.allSatisfy { $0.managedObjectModel === read })
  }

  @Test("equal models have equal bytes", arguments: dialects)
  func determinism(_ dialect: ModelArchive.Dialect) throws {
    let data = try ModelArchive.write(ArchiveSample.model(), dialect: dialect)
    #expect(try ModelArchive.write(ArchiveSample.model(), dialect: dialect) == data)
    let read = try ModelArchive.read(data, path: "M.mom")
    #expect(try ModelArchive.write(read, dialect: dialect) == data)
  }

  @Test("a model in use can be written")
  func frozen() throws {
    let model = LibraryModel().model
    let before = try ModelArchive.write(model, dialect: .cache)
    _ = try model.compiled()
    #expect(try ModelArchive.write(model, dialect: .cache) == before)
  }

  @Test("inverses that ancestors declare are found again", arguments: dialects)
  func inheritedInverse(_ dialect: ModelArchive.Dialect) throws {
    let library = LibraryModel()
    let read = try ModelArchive.read(
      ModelArchive.write(library.model, dialect: dialect), path: "M.mom")
    #expect(ModelDump.lines(read) == ModelDump.lines(library.model))
    let works = read.entitiesByName["person"]?.relationshipsByName["works"]
    #expect(works?.inverseRelationship?.inverseRelationship === works)
    #expect(try read.compiled().entities.count == 6)
  }

  @Test(
    "predicates are read back with the same tree",
    arguments: [
      "TRUEPREDICATE", "FALSEPREDICATE", "NOT a == 1", "a.b.c == nil", "a != 'x' OR b < 2.5",
      "name MATCHES 'a.*'", "name ENDSWITH[n] 'x'", "name CONTAINS[c] other.name",
      "a BETWEEN {1, 5}",
      "ANY works.title == 'x'", "ALL works.pages > 3", "a IN $LIST", "$FETCH_SOURCE.key == key",
      "SUBQUERY(works, $w, $w.pages > 10).@count > 1", "works.@count == 0", "works.@sum.pages > 3",
      "a + 2 * b >= abs(c)", "CAST(a, 'NSNumber') == 1", "list[2] == 'x'",
      "a UNION b == c", "{a, b} == list", "SELF == 5",
    ])
  func predicates(_ format: String) throws {
    let attribute = ArchiveSample.attribute("a", .string)
    attribute.setValidationPredicates([NSPredicate(format: format)], withValidationWarnings: [""])
    let model = LibraryModel.item([attribute])
    let read = try ModelArchive.read(ModelArchive.write(model, dialect: .mom), path: "M.mom")
    let predicate = read.entities.first?.properties.first?.validationPredicates.first
    let original = NSPredicate(format: format)
    #expect(predicate?.canonicalFormat == original.canonicalFormat)
    #expect(predicate?.hasSameMeaning(as: original) == true)
  }

  @Test("predicates nested as deeply as the parser allows are read back")
  func deepPredicate() throws {
    let format =
      String(repeating: "NOT (", count: 90) + "a == 1" + String(repeating: ")", count: 90)
    let attribute = ArchiveSample.attribute("a", .string)
    attribute.setValidationPredicates([NSPredicate(format: format)], withValidationWarnings: [""])
    let model = LibraryModel.item([attribute])
    let read = try ModelArchive.read(ModelArchive.write(model, dialect: .mom), path: "M.mom")
    #expect(ModelDump.lines(read) == ModelDump.lines(model))
    #expect(ModelDump.lines(model).contains { $0.contains("NOT NOT a == 1") })
  }

  @Test("what archives cannot hold is named with its place")
  func unarchivable() throws {
    let attribute = ArchiveSample.attribute("a", .string)
    attribute.setValidationPredicates(
      [NSPredicate { _, _ in true }], withValidationWarnings: ["never"])
    let error = writingError(LibraryModel.item([attribute]))
    #expect(error?.code == .unarchivable)
    #expect(error?.entityName == "Item")
    #expect(error?.propertyName == "a")
    let words = ArchiveSample.attribute("c", .string)
    words.setValidationPredicates(
      [NSPredicate(format: "SELF CONTAINSWORDS 'a'")], withValidationWarnings: ["D-384"])
    let search = writingError(LibraryModel.item([words]))
    #expect(search?.code == .unarchivable)
    #expect(search?.propertyName == "c")
    let other = ArchiveSample.attribute("b", .transformable, Calendar(identifier: .gregorian))
    #expect(writingError(LibraryModel.item([other]))?.propertyName == "b")
    let entity = LibraryModel.item([])
    entity.entities.first?.userInfo = ["x": Locale(identifier: "en")]
    #expect(writingError(entity)?.propertyName == nil)
  }

  private func writingError(_ model: NSManagedObjectModel) -> ModelError? {
    do {
      _ = try ModelArchive.write(model, dialect: .mom)
      return nil
    } catch {
      return error
    }
  }
}
