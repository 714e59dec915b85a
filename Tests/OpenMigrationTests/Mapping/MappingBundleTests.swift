import Foundation
import OpenMigration
import OpenObjectModel
import Testing

@Suite("Mapping models in bundles")
struct MappingBundleTests {
  private let folder: MappingFolder
  private let models: [NSManagedObjectModel]

  init() throws {
    folder = try MappingFolder()
    models = (1...4).map { version in
      Models.make { models in
        models.entity("Book").attribute("title\(version)")
        models.entity("Page").attribute("number", .integer32)
      }
    }
  }

  private var bundle: Bundle {
    get throws { try #require(Bundle(url: folder.url)) }
  }

  /// A mapping model between two versions, by their numbers.
  private func mapping(_ from: Int, _ to: Int, _ title: String = "BookToBook") -> NSMappingModel {
    let mapping = NSEntityMapping()
    mapping.name = title
    mapping.mappingType = .transformEntityMappingType
    mapping.sourceEntityName = "Book"
    mapping.sourceEntityVersionHash = models[from - 1].entitiesByName["Book"]?.versionHash
    mapping.destinationEntityName = "Book"
    mapping.destinationEntityVersionHash = models[to - 1].entitiesByName["Book"]?.versionHash
    let model = NSMappingModel()
    model.entityMappings = [mapping]
    return model
  }

  private func error(_ bundles: [Bundle]?, _ from: Int, _ to: Int) -> MigrationError? {
    mappingError { () throws(MigrationError) in
      try NSMappingModel.reading(
        from: bundles, forSourceModel: models[from - 1], destinationModel: models[to - 1])
    }
  }

  @Test("of several mapping models, the one with the hashes of both models is used")
  func hashes() throws {
    for (from, to) in [(1, 2), (2, 3), (3, 4), (1, 4), (2, 1)] {
      try mapping(from, to, "\(from)\(to)").write(to: folder["A\(to)\(from).cdm"])
    }
    for (from, to) in [(1, 2), (2, 3), (3, 4), (1, 4), (2, 1)] {
      let found = NSMappingModel(
        from: [try bundle], forSourceModel: models[from - 1], destinationModel: models[to - 1])
      #expect(found?.entityMappings.map(\.name) == ["\(from)\(to)"])
    }
    #expect(
      NSMappingModel(from: [try bundle], forSourceModel: models[0], destinationModel: models[2])
        == nil)
    let error = try error([bundle], 1, 3)
    #expect(error?.code == .noMapping)
    #expect(error?.message.contains("A21.cdm: The destination entity Book") == true)
    #expect(error?.message.contains("A32.cdm: The source entity Book") == true)
  }

  @Test("of two that fit the first bundle counts, and the first name in it")
  func order() throws {
    let other = try MappingFolder()
    try mapping(1, 2, "second").write(to: folder["B.cdm"])
    try mapping(1, 2, "first").write(to: folder["A.cdm"])
    try mapping(1, 2, "other").write(to: other["A.cdm"])
    func name(_ bundles: [Bundle]) -> String? {
      NSMappingModel(from: bundles, forSourceModel: models[0], destinationModel: models[1])?
        .entityMappings.first?.name
    }
    let second = try #require(Bundle(url: other.url))
    #expect(try name([bundle, second]) == "first")
    #expect(try name([second, bundle]) == "other")
  }

  @Test(
    "a hash of any mapping that differs or is missing, and a mapping model without mappings, do not fit"
  )
  func everyMapping() throws {
    let model = mapping(1, 2)
    let page = NSEntityMapping()
    page.mappingType = .copyEntityMappingType
    page.sourceEntityName = "Page"
    page.sourceEntityVersionHash = models[0].entitiesByName["Page"]?.versionHash
    page.destinationEntityName = "Page"
    page.destinationEntityVersionHash = Data(repeating: 0, count: 32)
    model.entityMappings.append(page)
    func fits() -> Bool { model.isMapping(from: models[0], to: models[1]) }
    #expect(!fits())
    page.destinationEntityVersionHash = nil
    #expect(!fits())
    page.destinationEntityVersionHash = models[1].entitiesByName["Page"]?.versionHash
    #expect(fits())
    page.destinationEntityName = "Leaf"
    #expect(!fits())
    #expect(!NSMappingModel().isMapping(from: models[0], to: models[1]))
  }

  @Test("damaged mapping models do not prevent others from being found, and are named otherwise")
  func damaged() throws {
    try folder.write(Data("bplist00".utf8), to: "A.cdm")
    try folder.write(Data("<database>".utf8), to: "B.xcmappingmodel/xcmapping.xml")
    #expect(try error([bundle], 1, 2)?.message.contains("A.cdm: The mapping model is") == true)
    #expect(try error([bundle], 1, 2)?.message.contains("B.xcmappingmodel: ") == true)
    // Bundles cache the contents of their folder.
    let other = try MappingFolder()
    try folder.write(Data("bplist00".utf8), to: "A.cdm")
    try mapping(1, 2, "good").write(to: other["C.cdm"])
    let bundles = [try bundle, try #require(Bundle(url: other.url))]
    #expect(error(bundles, 1, 2) == nil)
  }

  @Test("a mapping document is matched by the models that it names, not by the requested models")
  func documents() throws {
    let text = """
      <database><object type="XDDEVMAPPINGMODEL" id="z1">
      <attribute name="sourcemodelpath" type="string">Library.xcdatamodeld/V1.xcdatamodel</attribute>
      <attribute name="destinationmodelpath" type="string">Library.xcdatamodeld/V2.xcdatamodel</attribute>
      <relationship name="entitymappings" idrefs="z2"></relationship></object>
      <object type="XDDEVENTITYMAPPING" id="z2">
      <attribute name="sourcename" type="string">Book</attribute>
      <attribute name="destinationname" type="string">Book</attribute></object></database>
      """
    try folder.write(Data(text.utf8), to: "M.xcmappingmodel/xcmapping.xml")
    #expect(try error([bundle], 1, 2)?.code == .noMapping)
    try NSManagedObjectModel.write(
      ["V1": models[0], "V2": models[1]], current: "V2", to: folder["Library.momd"])
    #expect(try error([bundle], 1, 2) == nil)
    #expect(try error([bundle], 2, 3)?.code == .noMapping)
  }

  @Test("bundles without mapping models cause an error; without models, there is no mapping model")
  func nothing() throws {
    #expect(
      try error([bundle], 1, 2)?.message.contains("The bundles contain no mapping models.") == true)
    #expect(error([], 1, 2)?.code == .noMapping)
    #expect(error(nil, 1, 2)?.code == .noMapping)
    try mapping(1, 2).write(to: folder["A.cdm"])
    #expect(
      NSMappingModel(from: [try bundle], forSourceModel: nil, destinationModel: models[1]) == nil)
    #expect(
      NSMappingModel(from: [try bundle], forSourceModel: models[0], destinationModel: nil) == nil)
  }
}
