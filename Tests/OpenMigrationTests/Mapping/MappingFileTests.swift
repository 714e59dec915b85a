import Foundation
import OpenMigration
import OpenObjectModel
import OpenPredicates
import Testing

import class OpenPredicates.NSExpression

/// Compiled mapping models, written and read.
@Suite("Files of mapping models")
struct MappingFileTests {
  /// A model of one mapping with one property.
  static func model(_ expression: NSExpression? = nil, userInfo: [AnyHashable: Any]? = nil)
    -> NSMappingModel
  {
    let property = NSPropertyMapping()
    property.name = "title"
    property.valueExpression = expression
    property.userInfo = userInfo
    let mapping = NSEntityMapping()
    mapping.sourceEntityName = "Book"
    mapping.destinationEntityName = "Book"
    mapping.attributeMappings = [property]
    let model = NSMappingModel()
    model.entityMappings = [mapping]
    return model
  }

  private func read(_ model: NSMappingModel) throws -> NSMappingModel {
    let folder = try MappingFolder()
    try model.write(to: folder["M.cdm"])
    return try NSMappingModel.reading(folder["M.cdm"])
  }

  @Test(
    "expressions are read back unchanged",
    arguments: [
      "$source.title", "$source.author.name", "$source.rating + 10", "SELF", "name", "$source",
      "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"PageToPage\", $source.pages)",
      "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", \"pages\", $source.pages)",
      "FUNCTION($entityPolicy, \"destinationTitleForSourceBookTitle:manager:\", $source.title, $manager)",
      "FUNCTION($manager, \"describe:\", FUNCTION($entityPolicy, \"name\"))",
      "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"Book\", \"rating > 3\"), $manager.sourceContext, NO)",
      "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"Book\", \"TRUEPREDICATE\"), $manager.sourceContext, YES)",
      "TERNARY($source.rating > 3, 'good', 'poor')", "{1, 2, $source.rating}",
      "SUBQUERY($source.pages, $page, $page.number > 3)", "uppercase:($source.title)",
      "$source.pages.@count", "CAST($source.date, 'NSDate')", "$source.pages[0]", "now()",
      "$source.tags UNION $source.names", "\"$null\"", "nil", "12.5", "'text'",
    ])
  func expressions(_ format: String) throws {
    let expression = try NSExpression.parsing(format)
    let again = try read(Self.model(expression))
    #expect(again.entityMappings.first?.attributeMappings?.first?.valueExpression == expression)
  }

  @Test("user info is read back unchanged, including sets of names")
  func userInfo() throws {
    let names: Set<String> = ["title", "author"]
    let again = try read(
      Self.model(userInfo: [
        "names": names, "count": 3, "list": ["a", "b"], "empty": Set<String>(),
      ]))
    let property = try #require(again.entityMappings.first?.attributeMappings?.first)
    #expect(property.userInfo?["names"] as? Set<String> == names)
    #expect(property.userInfo?["count"] as? Int == 3)
    #expect(property.userInfo?["list"] as? [String] == ["a", "b"])
    #expect(property.userInfo?["empty"] as? Set<String> == [])
    let empty = try read(Self.model(userInfo: [:]))
    #expect(empty.entityMappings.first?.attributeMappings?.first?.userInfo?.isEmpty == true)
    #expect(empty.entityMappings.first?.userInfo == nil)
  }

  @Test("mappings of every type are read back in order, and unset properties stay unset")
  func mappings() throws {
    let model = NSMappingModel()
    for type in (0...5).compactMap({ NSEntityMappingType(rawValue: $0) }) {
      let mapping = NSEntityMapping()
      mapping.mappingType = type
      mapping.name = "M\(9 - type.rawValue)"
      if type != .addEntityMappingType { mapping.sourceEntityName = "Old" }
      if type != .removeEntityMappingType { mapping.destinationEntityName = "New" }
      mapping.sourceEntityVersionHash = Data(repeating: UInt8(type.rawValue), count: 32)
      mapping.entityMigrationPolicyClassName = type == .customEntityMappingType ? "App.Policy" : nil
      mapping.attributeMappings = type == .copyEntityMappingType ? [] : nil
      model.entityMappings.append(mapping)
    }
    #expect(MappingDump.lines(try read(model)) == MappingDump.lines(model))
    #expect(try read(NSMappingModel()).entityMappings.isEmpty)
  }

  @Test("an inferred mapping model is read back unchanged")
  func inferred() throws {
    let model = try NSMappingModel.inferredMappingModel(
      forSourceModel: Models.make {
        $0.entity("Book").attribute("title").attribute("old").relationship(
          "pages", to: $0.entity("Page").attribute("number", .integer32), isToMany: true)
      },
      destinationModel: Models.make {
        $0.entity("Book").attribute("name", renaming: "title").relationship(
          "pages", to: $0.entity("Page").attribute("number", .integer32), isToMany: true)
      })
    #expect(MappingDump.lines(try read(model)) == MappingDump.lines(model))
  }

  @Test("equal mapping models have equal bytes")
  func bytes() throws {
    let folder = try MappingFolder()
    for name in ["A.cdm", "B.cdm"] {
      let info: [AnyHashable: Any] = ["a": 1, "b": Set(["x", "y", "z"]), "c": ["k": "v"]]
      let expression = try NSExpression.parsing("$source.title")
      try Self.model(expression, userInfo: info).write(to: folder[name])
    }
    #expect(try Data(contentsOf: folder["A.cdm"]) == Data(contentsOf: folder["B.cdm"]))
  }

  @Test("unsupported values are rejected with their location, and no file is written")
  func unarchivable() throws {
    final class Thing {}
    let folder = try MappingFolder()
    func error(_ model: NSMappingModel) -> MigrationError? {
      mappingError { () throws(MigrationError) in
        try model.write(to: folder["M.cdm"])
        return model
      }
    }
    for model in [
      Self.model(NSExpression(forConstantValue: Thing())), Self.model(userInfo: ["thing": Thing()]),
      Self.model(NSExpression(format: "$source.(")),
      Self.model(NSExpression(format: "$source.pages[FIRST]")),
    ] {
      let error = error(model)
      #expect(error?.code == .unarchivableMapping)
      #expect(error?.entityName == "Book" && error?.propertyName == "title")
      #expect(error?.path == folder["M.cdm"].path)
    }
    #expect(!FileManager.default.fileExists(atPath: folder["M.cdm"].path))
  }

  @Test("an unwritable location and missing files are errors")
  func places() throws {
    let folder = try MappingFolder()
    let unwritable = mappingError { () throws(MigrationError) in
      let model = NSMappingModel()
      try model.write(to: folder["missing/M.cdm"])
      return model
    }
    #expect(unwritable?.code == .unwritableMapping)
    for url in [folder["M.cdm"], folder.url, folder["M.xcmappingmodel"]] {
      let error = mappingError { () throws(MigrationError) in try NSMappingModel.reading(url) }
      #expect(error?.code == .unreadableMapping)
      #expect(error?.path?.hasPrefix(folder.url.path) == true)
      #expect(NSMappingModel(contentsOf: url) == nil)
    }
    #expect(NSMappingModel(contentsOf: nil) == nil)
  }
}
