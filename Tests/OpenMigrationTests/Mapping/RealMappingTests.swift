import Foundation
import OpenMigration
import OpenObjectModel
import OpenPredicates
import Testing

import class OpenPredicates.NSExpression

@Suite(
  "The mapping model of a real application",
  .disabled(if: RealMappings.areMissing, "the folder named by OPENCOREDATA_SHARED is absent"))
struct RealMappingTests {
  private static let policy = "REPLACE_AT_RUNTIME.V2to3MakerPolicy"
  private let old: NSManagedObjectModel
  private let new: NSManagedObjectModel

  init() throws {
    old = try NSManagedObjectModel.reading(RealMappings.version(2))
    new = try NSManagedObjectModel.reading(RealMappings.version(3))
  }

  private func expression(_ format: String) throws -> NSExpression {
    try NSExpression.parsing(format)
  }

  @Test("names, types, policies and order of the mappings")
  func mappings() throws {
    let model = try NSMappingModel.reading(RealMappings.compiled)
    let mappings = try #require(model.entityMappings)
    #expect(
      mappings.map(\.name) == [
        "CarToCar", "LuxuryCarToLuxuryCar", "PersonToPerson", "SportCarToSportCar", "Maker",
      ])
    #expect(mappings.map(\.mappingType.rawValue) == [1, 1, 4, 1, 2])
    #expect(
      mappings.map(\.entityMigrationPolicyClassName)
        == [Self.policy, Self.policy, nil, Self.policy, nil])
    #expect(mappings.map(\.sourceEntityName) == ["Car", "LuxuryCar", "Person", "SportCar", nil])
    #expect(
      mappings.map(\.destinationEntityName) == ["Car", "LuxuryCar", "Person", "SportCar", "Maker"])
    #expect(mappings.allSatisfy { $0.userInfo == nil })
    #expect(model.entityMappingsByName["Maker"] === mappings.last)
    #expect(model.entityMappingsByName.count == 5)
  }

  @Test("version hashes match the two models")
  func hashes() throws {
    let model = try NSMappingModel.reading(RealMappings.compiled)
    for mapping in model.entityMappings {
      let (from, to) = (mapping.sourceEntityName, mapping.destinationEntityName)
      #expect(
        mapping.sourceEntityVersionHash == from.flatMap { old.entitiesByName[$0]?.versionHash })
      #expect(
        mapping.destinationEntityVersionHash == to.flatMap { new.entitiesByName[$0]?.versionHash })
    }
    #expect(model.isMapping(from: old, to: new))
    #expect(!model.isMapping(from: new, to: old))
    #expect(!model.isMapping(from: old, to: old))
  }

  @Test("source objects are fetched by the manager")
  func sourceExpressions() throws {
    let model = try NSMappingModel.reading(RealMappings.compiled)
    for mapping in model.entityMappings {
      guard let name = mapping.sourceEntityName else {
        #expect(mapping.sourceExpression == nil)
        continue
      }
      let wanted = try expression(
        """
        FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "\(name)", \
        "TRUEPREDICATE"), $manager.sourceContext, NO)
        """)
      #expect(mapping.sourceExpression == wanted)
      #expect(mapping.sourceExpression?.expressionType == .fetchRequest)
    }
  }

  @Test("values and destinations are the expressions of the file")
  func properties() throws {
    let model = try NSMappingModel.reading(RealMappings.compiled)
    func names(_ mapping: String, _ path: KeyPath<NSEntityMapping, [NSPropertyMapping]?>)
      -> [String?]
    {
      model.entityMappingsByName[mapping]?[keyPath: path]?.map(\.name) ?? []
    }
    #expect(
      names("CarToCar", \.attributeMappings) == ["markedForDeletionAsOf", "model", "numberPlate"])
    #expect(
      names("LuxuryCarToLuxuryCar", \.attributeMappings)
        == ["isLimitedEdition", "markedForDeletionAsOf", "model", "numberPlate"])
    #expect(names("PersonToPerson", \.attributeMappings) == ["firstName", "lastName", "updatedAt"])
    #expect(names("Maker", \.attributeMappings) == ["name"])
    for mapping in model.entityMappings {
      for property in mapping.attributeMappings ?? [] {
        let wanted =
          mapping.sourceEntityName == nil ? nil : try expression("$source.\(property.name ?? "")")
        #expect(property.valueExpression == wanted)
        #expect(property.userInfo == nil)
      }
    }
    let person = """
      FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", \
      "PersonToPerson", $source.owner)
      """
    let cars = """
      FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", \
      "cars", $source.cars)
      """
    for name in ["CarToCar", "LuxuryCarToLuxuryCar", "SportCarToSportCar"] {
      let mapping = try #require(model.entityMappingsByName[name])
      let relationships = try #require(mapping.relationshipMappings)
      #expect(relationships.map(\.name) == ["createdBy", "owner", "previousOwners"])
      #expect(
        relationships.map(\.valueExpression)
          == [nil, try expression(person), try expression(person)])
    }
    let people = try #require(model.entityMappingsByName["PersonToPerson"]?.relationshipMappings)
    #expect(people.map(\.name) == ["cars", "previousCars"])
    #expect(
      people.map(\.valueExpression) == [try expression(cars), try expression(cars)])
    let maker = try #require(model.entityMappingsByName["Maker"]?.relationshipMappings)
    #expect(maker.map(\.name) == ["cars"] && maker.first?.valueExpression == nil)
  }

  @Test("the document compiles to the same result as in Xcode")
  func document() throws {
    let compiled = try NSMappingModel.reading(RealMappings.compiled)
    let wanted = MappingDump.lines(compiled)
    #expect(MappingDump.lines(try NSMappingModel.reading(RealMappings.document)) == wanted)
    let given = try NSMappingModel.reading(
      RealMappings.document, forSourceModel: old, destinationModel: new)
    #expect(MappingDump.lines(given) == wanted)
  }

  @Test("the document is rejected for other models")
  func otherModels() throws {
    let error = mappingError { () throws(MigrationError) in
      try NSMappingModel.reading(
        RealMappings.document, forSourceModel: old, destinationModel: old)
    }
    #expect(error?.code == .foreignMapping)
    #expect(error?.path == RealMappings.document.path)
    #expect(error?.entityName != nil)
  }

  @Test("the mapping model is equal after writing and reading")
  func roundTrip() throws {
    let model = try #require(NSMappingModel(contentsOf: RealMappings.compiled))
    let folder = try MappingFolder()
    try model.write(to: folder["A.cdm"])
    let again = try NSMappingModel.reading(folder["A.cdm"])
    #expect(MappingDump.lines(again) == MappingDump.lines(model))
    try again.write(to: folder["B.cdm"])
    #expect(try Data(contentsOf: folder["A.cdm"]) == Data(contentsOf: folder["B.cdm"]))
  }

  @Test("the real file with any changed byte is read or rejected, without a trap")
  func damage() throws {
    let data = try Data(contentsOf: RealMappings.compiled)
    let folder = try MappingFolder()
    for place in stride(from: 0, to: data.count, by: 7) {
      var changed = data
      changed[place] ^= 0x55
      let file = try folder.write(changed, to: "Damaged.cdm")
      let error = mappingError { () throws(MigrationError) in try NSMappingModel.reading(file) }
      #expect(error == nil || error?.code == .malformedMapping)
    }
  }
}
