import Foundation
import OpenMigration
import OpenObjectModel
import OpenPredicates
import Testing

/// Mappings that follow from two models, as lightweight migration has them.
@Suite("Inferred mapping models")
struct InferenceTests {
  private func infer(
    _ source: (Models) -> Void, _ destination: (Models) -> Void
  ) throws -> NSMappingModel {
    try NSMappingModel.inferredMappingModel(
      forSourceModel: Models.make(source), destinationModel: Models.make(destination))
  }

  /// The locations and codes of the obstacles.
  private func problems(
    _ source: (Models) -> Void, _ destination: (Models) -> Void
  ) throws -> [String: InferenceProblem.Code] {
    let error = #expect(throws: CocoaError.self) { try infer(source, destination) }
    #expect(error?.code.rawValue == 134_190)
    let cause = try #require(error?.userInfo[NSUnderlyingErrorKey] as? InferenceError)
    for problem in cause.problems {
      #expect(problem.change.hasSuffix(".") && problem.advice.hasSuffix("."))
      #expect(error?.localizedDescription.contains(problem.description) == true)
    }
    return Dictionary(
      cause.problems.map { problem in
        (
          [problem.entityName, problem.propertyName].compactMap { $0 }.joined(separator: "."),
          problem.code
        )
      }
    ) { first, _ in first }
  }

  @Test("mappings have Apple's names and types, the entities' hashes, and sets of names")
  func namesAndTypes() throws {
    let model = try infer { models in
      models.entity("Same").attribute("title")
      models.entity("Changed").attribute("title").attribute("old")
      models.entity("Gone")
    } _: { models in
      models.entity("Same").attribute("title")
      models.entity("Changed").attribute("title").attribute("new", default: "x")
      models.entity("New")
    }
    #expect(
      model.entityMappings.map(\.name) == [
        "IEM_Copy_Same", "IEM_Transform_Changed", "IEM_Add_New", "IEM_Remove_Gone",
      ])
    #expect(
      model.entityMappings.map(\.mappingType) == [
        .copyEntityMappingType, .transformEntityMappingType, .addEntityMappingType,
        .removeEntityMappingType,
      ])
    let changed = try #require(model.entityMappingsByName["IEM_Transform_Changed"])
    #expect(changed.sourceEntityName == "Changed")
    #expect(changed.sourceEntityVersionHash != changed.destinationEntityVersionHash)
    #expect(changed.userInfo?["mappedProperties"] as? Set<String> == ["title"])
    #expect(changed.userInfo?["addedProperties"] as? Set<String> == ["new"])
    #expect(changed.userInfo?["removedProperties"] as? Set<String> == ["old"])
    #expect(changed.attributeMappings?.map(\.name) == ["title"])
    let same = try #require(model.entityMappingsByName["IEM_Copy_Same"])
    #expect(same.sourceEntityVersionHash == same.destinationEntityVersionHash)
    #expect(model.entityMappingsByName["IEM_Add_New"]?.sourceEntityName == nil)
    #expect(model.entityMappingsByName["IEM_Remove_Gone"]?.destinationEntityName == nil)
  }

  @Test("entities and properties are renamed by their renaming identifiers, over several versions")
  func renaming() throws {
    func version(_ number: Int) -> (Models) -> Void {
      { models in
        let entity =
          number == 1
          ? models.entity("Book") : models.entity("Work\(number)", renaming: "Book")
        let shelf = models.entity("Shelf")
        if number == 1 {
          entity.attribute("title").relationship("shelf", to: shelf)
        } else {
          entity.attribute("name\(number)", renaming: "title")
            .relationship("place\(number)", to: shelf, renaming: "shelf")
        }
      }
    }
    for (from, to) in [(1, 2), (2, 3), (1, 3)] {
      let model = try infer(version(from), version(to))
      let mapping = try #require(model.entityMappingsByName["IEM_Transform_Work\(to)"])
      #expect(mapping.sourceEntityName == (from == 1 ? "Book" : "Work\(from)"))
      #expect(mapping.attributeMappings?.map(\.name) == ["name\(to)"])
      let expression = mapping.attributeMappings?.first?.valueExpression?.description ?? ""
      #expect(expression.contains(from == 1 ? "title" : "name\(from)"))
      #expect(mapping.relationshipMappings?.map(\.name) == ["place\(to)"])
      #expect(mapping.userInfo?["addedProperties"] as? Set<String> == [])
    }
  }

  @Test("two properties exchange their names")
  func exchange() throws {
    let model = try infer { models in
      models.entity("Book").attribute("one").attribute("two", .integer64)
    } _: { models in
      models.entity("Book").attribute("one", .integer64, renaming: "two")
        .attribute("two", renaming: "one")
    }
    let mappings = model.entityMappings.first?.attributeMappings ?? []
    #expect(mappings.map(\.name) == ["one", "two"])
    #expect(mappings.first?.valueExpression?.description.contains("\"two\"") == true)
  }

  @Test(
    "a property whose renaming identifier names no old property matches the old property with its name (D-439)"
  )
  func missingOldName() throws {
    let model = try infer { models in
      models.entity("Book").attribute("title")
    } _: { models in
      models.entity("Book").attribute("title", renaming: "headline")
    }
    let mapping = try #require(model.entityMappings.first)
    #expect(mapping.userInfo?["mappedProperties"] as? Set<String> == ["title"])
    let expression = mapping.attributeMappings?.first?.valueExpression?.description
    #expect(expression?.contains("\"title\"") == true)
  }

  @Test(
    "a property whose renaming identifier names no old property replaces a property of another type with its name (D-439)"
  )
  func missingOldNameOfOtherType() throws {
    let model = try infer { models in
      models.entity("Book").attribute("pages")
    } _: { models in
      models.entity("Book")
        .attribute("pages", .integer64, isOptional: false, renaming: "pageCount", default: 0)
    }
    let mapping = try #require(model.entityMappings.first)
    #expect(mapping.userInfo?["addedProperties"] as? Set<String> == ["pages"])
    #expect(mapping.userInfo?["removedProperties"] as? Set<String> == ["pages"])
  }

  @Test("changes that need no value are inferred")
  func allowedProperties() throws {
    let model = try infer { models in
      let shelf = models.entity("Shelf")
      models.entity("Book").attribute("required", isOptional: false).attribute("gone")
        .attribute("counted", .integer64)
        .relationship("shelf", to: shelf).relationship("list", to: shelf, isToMany: true)
    } _: { models in
      let shelf = models.entity("Shelf")
      models.entity("Book").attribute("required", isOptional: true)
        .attribute("counted", .integer64, isOptional: false, default: 0)
        .attribute("new", isOptional: false, default: "x")
        .relationship("shelf", to: shelf, isToMany: true)
        .relationship("list", to: shelf, isToMany: true, isOrdered: true)
        .relationship("other", to: shelf)
    }
    #expect(model.entityMappings.map(\.name) == ["IEM_Copy_Shelf", "IEM_Transform_Book"])
  }

  @Test("entities get a new parent, and properties move along a hierarchy")
  func hierarchies() throws {
    let model = try infer { models in
      models.entity("Book").attribute("title").attribute("pages", .integer64)
      models.entity("Film")
    } _: { models in
      let work = models.entity("Work", isAbstract: true).attribute("title")
      models.entity("Book", parent: work).attribute("pages", .integer64)
      models.entity("Film")
    }
    let mapping = try #require(model.entityMappingsByName["IEM_Transform_Book"])
    #expect(mapping.userInfo?["mappedProperties"] as? Set<String> == ["title", "pages"])
    let back = try infer { models in
      let work = models.entity("Work").attribute("title")
      models.entity("Book", parent: work)
    } _: { models in
      let work = models.entity("Work")
      models.entity("Book", parent: work).attribute("title")
    }
    #expect(
      back.entityMappingsByName["IEM_Transform_Book"]?.userInfo?["mappedProperties"]
        as? Set<String> == ["title"])
  }

  @Test("an empty renaming identifier counts as none")
  func emptyIdentifiers() throws {
    let model = try infer { models in
      models.entity("Book", renaming: "").attribute("one", renaming: "")
        .attribute("two", renaming: "")
      models.entity("Shelf", renaming: "").attribute("name")
    } _: { models in
      models.entity("Shelf", renaming: "").attribute("name").attribute("place")
      models.entity("Book", renaming: "").attribute("two", renaming: "")
    }
    let book = try #require(model.entityMappingsByName["IEM_Transform_Book"])
    #expect(book.sourceEntityName == "Book")
    #expect(book.attributeMappings?.map(\.name) == ["two"])
    let expression = book.attributeMappings?.first?.valueExpression?.description
    #expect(expression?.contains("\"two\"") == true)
  }

  @Test("all obstacles are listed at once, with their remedies")
  func allProblems() throws {
    let found = try problems { models in
      let shelf = models.entity("Shelf")
      let other = models.entity("Other")
      models.entity("Book").attribute("type").attribute("strict").attribute("kind")
        .relationship("one", to: shelf, isToMany: true).relationship("where", to: shelf)
        .relationship("must", to: shelf)
      _ = other
    } _: { models in
      let shelf = models.entity("Shelf")
      let other = models.entity("Other", isAbstract: true)
      models.entity("Book").attribute("type", .integer64)
        .attribute("strict", isOptional: false).attribute("added", isOptional: false)
        .relationship("kind", to: shelf).relationship("one", to: shelf)
        .relationship("where", to: other)
        .relationship("must", to: shelf, isOptional: false)
        .relationship("new", to: shelf, isOptional: false)
    }
    #expect(
      found == [
        "Book.type": .attributeType, "Book.strict": .requiredAttribute,
        "Book.added": .addedRequiredAttribute, "Book.kind": .kind, "Book.one": .toManyToOne,
        "Book.where": .destination, "Book.must": .requiredRelationship,
        "Book.new": .addedRequiredRelationship, "Other": .abstractEntity,
      ])
  }

  @Test("hierarchies are not merged, and one source has one destination")
  func mergesAndRivals() throws {
    let merged = try problems { models in
      models.entity("Book")
      models.entity("Film")
    } _: { models in
      let work = models.entity("Work")
      models.entity("Book", parent: work)
      models.entity("Film", parent: work)
    }
    #expect(merged == ["Work": .mergedHierarchies])
    let rivals = try problems { models in
      models.entity("Book").attribute("title")
    } _: { models in
      models.entity("Work", renaming: "Book").attribute("one", renaming: "title")
        .attribute("two", renaming: "title")
      models.entity("Text", renaming: "Book")
    }
    #expect(rivals == ["Text": .ambiguousSource, "Work.two": .ambiguousSource])
  }

  @Test("a relationship can change its destination to a new parent entity, but not to a subentity")
  func destinations() throws {
    let source: (Models) -> Void = { models in
      let book = models.entity("Book")
      models.entity("Shelf").relationship("best", to: book)
    }
    _ = try infer(source) { models in
      let work = models.entity("Work")
      models.entity("Book", parent: work)
      models.entity("Shelf").relationship("best", to: work)
    }
    let narrowed = try problems(source) { models in
      let book = models.entity("Book")
      let novel = models.entity("Novel", parent: book)
      models.entity("Shelf").relationship("best", to: novel)
    }
    #expect(narrowed == ["Shelf.best": .destination])
  }

  @Test(
    "consecutive versions of real models have a mapping, or reasons",
    .enabled(if: RealVersions.isThere, "the shared models are not here"))
  func realVersions() throws {
    var pairs = 0
    for (old, new) in try RealVersions.pairs() {
      pairs += 1
      do {
        let model = try NSMappingModel.inferredMappingModel(
          forSourceModel: old, destinationModel: new)
        let names = Set(model.entityMappings.compactMap(\.destinationEntityName))
        #expect(names == Set(new.entities.compactMap(\.name)))
      } catch let error as CocoaError {
        let cause = try #require(error.userInfo[NSUnderlyingErrorKey] as? InferenceError)
        #expect(!cause.problems.isEmpty)
      }
    }
    #expect(pairs >= 6)
  }
}

/// The real models with several versions.
enum RealVersions {
  private static let folder = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["OPENCOREDATA_SHARED"] ?? "../shared"
  ).appendingPathComponent("data")

  static var isThere: Bool { FileManager.default.fileExists(atPath: folder.path) }

  /// Each version with the next one, by the names of the versions.
  static func pairs() throws -> [(NSManagedObjectModel, NSManagedObjectModel)] {
    let documents =
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
      .compactMap { $0 as? URL }.filter { $0.pathExtension == "xcdatamodeld" } ?? []
    return try documents.sorted { $0.path < $1.path }.flatMap { document in
      let versions = try FileManager.default.contentsOfDirectory(
        at: document, includingPropertiesForKeys: nil
      ).filter { $0.pathExtension == "xcdatamodel" }
        .sorted { $0.path.compare($1.path, options: .numeric) == .orderedAscending }
      let models = try versions.map { try NSManagedObjectModel.reading($0) }
      return Array(zip(models, models.dropFirst()))
    }
  }
}
