import Foundation
import OpenMigration
import OpenObjectModel
import OpenPredicates
import Testing

import class OpenPredicates.NSExpression

/// Inference between versions with a known history of each entity and property.
@Suite("Inferred mapping models of random versions")
struct RandomInferenceTests {
  @Test(
    "everything is found again over any number of versions, renamed or with exchanged names",
    arguments: 0..<60)
  func lineages(_ seed: UInt64) throws {
    let lineage = ModelLineage(seed: seed, versionCount: 6)
    let models = lineage.versions.indices.map { lineage.model($0) }
    for from in models.indices {
      for to in models.indices where to > from {
        let mapping = try NSMappingModel.inferredMappingModel(
          forSourceModel: models[from], destinationModel: models[to])
        compare(
          mapping, lineage.versions[from], lineage.versions[to],
          "seed \(seed), version \(from) to \(to)")
      }
    }
  }

  private func compare(
    _ model: NSMappingModel, _ old: [ModelLineage.Entity], _ new: [ModelLineage.Entity],
    _ place: String
  ) {
    let sources = Dictionary(uniqueKeysWithValues: old.map { ($0.thing.number, $0) })
    let mappings = Dictionary(grouping: model.entityMappings) { $0.destinationEntityName ?? "" }
    for entity in new {
      let mapping = mappings[entity.thing.name]?.first
      let source = sources[entity.thing.number]
      #expect(mapping?.sourceEntityName == source?.thing.name, "\(place), \(entity.thing.name)")
      guard let source, let mapping else { continue }
      let known = Dictionary(uniqueKeysWithValues: source.properties.map { ($0.number, $0.name) })
      var wanted: [String: String] = [:]
      for property in entity.properties { wanted[property.name] = known[property.number] }
      var found: [String: String] = [:]
      for property in (mapping.attributeMappings ?? []) + (mapping.relationshipMappings ?? []) {
        found[property.name ?? ""] = property.valueExpression.flatMap(sourceName)
      }
      #expect(found == wanted, "\(place), \(entity.thing.name)")
    }
    let kept = Set(new.map(\.thing.number))
    #expect(
      Set((mappings[""] ?? []).compactMap(\.sourceEntityName))
        == Set(old.filter { !kept.contains($0.thing.number) }.map(\.thing.name)), "\(place)")
  }

  /// The name of the source property that an inferred expression reads: the first constant in it.
  private func sourceName(_ expression: NSExpression) -> String? {
    expression.arguments?.first?.constantValue as? String
  }

  /// The source of each attribute of the one entity.
  private func sources(
    _ old: (NSEntityDescription) -> Void, _ new: (NSEntityDescription) -> Void
  ) throws -> [String: String] {
    let model = try NSMappingModel.inferredMappingModel(
      forSourceModel: Models.make { old($0.entity("Book")) },
      destinationModel: Models.make { new($0.entity("Book")) })
    let mappings = model.entityMappings.first?.attributeMappings ?? []
    return Dictionary(
      uniqueKeysWithValues: mappings.compactMap { mapping in
        mapping.valueExpression.flatMap(sourceName).map { (mapping.name ?? "", $0) }
      })
  }

  @Test(
    "names that were exchanged once are not exchanged again by later versions that keep the identifiers"
  )
  func keptIdentifiers() throws {
    let exchanged: (NSEntityDescription) -> Void = {
      $0.attribute("one", renaming: "two").attribute("two", renaming: "one")
    }
    let later: (NSEntityDescription) -> Void = {
      exchanged($0)
      $0.attribute("three")
    }
    #expect(try sources(exchanged, later) == ["one": "one", "two": "two"])
    #expect(
      try sources({ $0.attribute("one").attribute("two") }, later) == ["one": "two", "two": "one"])
  }

  @Test("a name that moved on to the next attribute is followed, also by later versions")
  func shiftedNames() throws {
    let first: (NSEntityDescription) -> Void = { $0.attribute("a").attribute("b") }
    let second: (NSEntityDescription) -> Void = {
      $0.attribute("b", renaming: "a").attribute("c", renaming: "b")
    }
    let third: (NSEntityDescription) -> Void = {
      $0.attribute("x", renaming: "a").attribute("y", renaming: "b")
    }
    #expect(try sources(first, second) == ["b": "a", "c": "b"])
    #expect(try sources(second, third) == ["x": "b", "y": "c"])
    #expect(try sources(first, third) == ["x": "a", "y": "b"])
  }

  @Test("a new attribute can have the old name of a renamed attribute")
  func takenName() throws {
    let second: (NSEntityDescription) -> Void = {
      $0.attribute("title", renaming: "name").attribute("name")
    }
    #expect(try sources({ $0.attribute("name") }, second) == ["title": "name"])
    #expect(try sources(second, second) == ["title": "title", "name": "name"])
    // Without identifiers the names count.
    #expect(
      try sources(second, { $0.attribute("title").attribute("name") }) == [
        "name": "name", "title": "title",
      ])
  }

  @Test("an identifier may be the name in the version before, though that has another identifier")
  func previousName() throws {
    #expect(
      try sources(
        { $0.attribute("b", renaming: "a") }, { $0.attribute("c", renaming: "b").attribute("b") })
        == ["c": "b"])
  }

  @Test("two models with the same hashes are copies, regardless of other differences")
  func equalHashes() throws {
    let old = Models.make { $0.entity("Book").attribute("title").attribute("name") }
    let new = Models.make {
      let entity = $0.entity("Book").attribute("title").attribute("name", default: "x")
      entity.userInfo = ["a": "b"]
      entity.managedObjectClassName = "Other"
    }
    #expect(old.entityVersionHashesByName == new.entityVersionHashesByName)
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: old, destinationModel: new)
    #expect(mapping.entityMappings.map(\.name) == ["IEM_Copy_Book"])
    #expect(mapping.isMapping(from: old, to: new) && mapping.isMapping(from: new, to: old))
  }
}
