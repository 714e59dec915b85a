import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenObjectModel
import class OpenPredicates.NSExpression
import OpenPredicates
import OpenSQLiteStore
import Testing

/// Writes down which of its methods are called.
final class RecordingPolicy: NSEntityMigrationPolicy {
  static func log(_ line: String, _ manager: NSMigrationManager) {
    let calls = manager.userInfo?["calls"] as? NSMutableArray
    calls?.add(NSString(string: line))
  }

  private func note(
    _ phase: String, _ mapping: NSEntityMapping, _ manager: NSMigrationManager
  ) throws {
    Self.log("\(phase) \(mapping.name ?? "")", manager)
    if manager.userInfo?["fails"] as? String == phase { throw PolicyFailure(phase: phase) }
  }

  override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
    try note("begin", mapping, manager)
  }

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try note("create", mapping, manager)
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
  }

  override func endInstanceCreation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws { try note("created", mapping, manager) }

  override func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    try note("relate", mapping, manager)
    try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
  }

  override func endRelationshipCreation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws { try note("related", mapping, manager) }

  override func performCustomValidation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws { try note("validate", mapping, manager) }

  override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    try note("end", mapping, manager)
  }
}

struct PolicyFailure: Error, Equatable { var phase: String }

/// Associates each source instance with its destination a second time, and counts the destinations.
final class RepeatingPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    func destinations() -> [NSManagedObject] {
      manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    }
    for made in destinations() {
      manager.associate(sourceInstance: sInstance, withDestinationInstance: made, for: mapping)
    }
    RecordingPolicy.log("\(destinations().count)", manager)
  }
}

/// Counts the objects of a mapping, and of a mapping that the model does not have.
final class CountingPolicy: NSEntityMigrationPolicy {
  override func endInstanceCreation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    for name in [mapping.name ?? "", "None"] {
      let made = manager.destinationInstances(forEntityMappingName: name, sourceInstances: nil)
      let sources = manager.sourceInstances(forEntityMappingName: name, destinationInstances: nil)
      RecordingPolicy.log("\(name) \(sources.count) \(made.count)", manager)
    }
  }
}

/// Splits names, and answers expressions.
final class NamePolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let made = manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    let name = sInstance.value(forKey: "name") as? String ?? ""
    let words = name.split(separator: " ").map(String.init)
    made.first?.setValue(words.first, forKey: "first")
    made.first?.setValue(words.last, forKey: "last")
  }

  override func result(ofSelector selector: String, arguments: [Any?]) throws -> Any? {
    switch selector {
    case "shout:": (arguments.first as? String)?.uppercased()
    case "fail:": throw PolicyFailure(phase: "fail:")
    default: try super.result(ofSelector: selector, arguments: arguments)
    }
  }
}

/// A manager with a method for expressions.
final class CountingManager: NSMigrationManager {
  private var count = 0

  override func result(ofSelector selector: String, arguments: [Any?]) throws -> Any? {
    guard selector == "nextNumber" else {
      return try super.result(ofSelector: selector, arguments: arguments)
    }
    count += 1
    return count
  }
}

/// Entity migration policies, and mappings with expressions.
@Suite("Entity migration policies")
struct PolicyTests {
  private let fixture: MigrationFixture
  private let old: NSManagedObjectModel
  private let new: NSManagedObjectModel

  init() throws {
    fixture = try MigrationFixture()
    old = Models.make { models in
      let person = models.entity("Person").attribute("name")
      let pet = models.entity("Pet").attribute("name")
      models.link(person, "pets", pet, "owner", isToMany: true)
    }
    new = Models.make { models in
      let person = models.entity("Person").attribute("first").attribute("last").attribute("loud")
        .attribute("number", .integer32)
      let pet = models.entity("Pet").attribute("name")
      models.link(person, "pets", pet, "owner", isToMany: true)
    }
    try fixture.with("old", old) { context in
      let people = ["Ada Lovelace", "Bo Derek"].map { context.insert("Person", ["name": $0]) }
      for name in ["Cat", "Dog"] {
        context.insert("Pet", ["name": name, "owner": people[0]])
      }
    }
  }

  private func property(_ name: String, _ format: String) -> NSPropertyMapping {
    let mapping = NSPropertyMapping()
    mapping.name = name
    mapping.valueExpression = NSExpression(format: format)
    return mapping
  }

  private func source(_ entity: String) -> NSExpression {
    NSFetchRequestExpression.expression(
      forFetch: NSExpression(
        format:
          "FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"\(entity)\", \"TRUEPREDICATE\")"
      ),
      context: NSExpression(format: "$manager.sourceContext"), countOnly: false)
  }

  /// A mapping model that was created in code.
  private func mapping(policy: String? = nil) -> NSMappingModel {
    let person = NSEntityMapping()
    person.name = "PersonToPerson"
    person.mappingType = .customEntityMappingType
    person.sourceEntityName = "Person"
    person.destinationEntityName = "Person"
    person.sourceExpression = source("Person")
    person.entityMigrationPolicyClassName = policy
    person.relationshipMappings = [
      property(
        "pets",
        "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"PetToPet\", $source.pets)"
      )
    ]
    let pet = NSEntityMapping()
    pet.name = "PetToPet"
    pet.mappingType = .customEntityMappingType
    pet.sourceEntityName = "Pet"
    pet.destinationEntityName = "Pet"
    pet.sourceExpression = source("Pet")
    pet.entityMigrationPolicyClassName = policy == "RecordingPolicy" ? policy : nil
    pet.attributeMappings = [property("name", "$source.name")]
    let model = NSMappingModel()
    model.entityMappings = [person, pet]
    return model
  }

  private func makeManager() -> NSMigrationManager {
    NSMigrationManager(sourceModel: old, destinationModel: new)
  }

  @Test("the methods of policies are called in Apple's order: stage by stage for all mappings")
  func order() throws {
    let calls = NSMutableArray()
    let manager = makeManager()
    manager.userInfo = ["calls": calls]
    try fixture.migrate(manager, mapping(policy: "RecordingPolicy"))
    #expect(
      calls.compactMap { ($0 as? NSString).map { "\($0)" } } == [
        "begin PersonToPerson", "create PersonToPerson", "create PersonToPerson",
        "created PersonToPerson",
        "begin PetToPet", "create PetToPet", "create PetToPet", "created PetToPet",
        "relate PersonToPerson", "relate PersonToPerson", "related PersonToPerson",
        "relate PetToPet", "relate PetToPet", "related PetToPet",
        "validate PersonToPerson", "end PersonToPerson", "validate PetToPet", "end PetToPet",
      ])
    let pets = try fixture.with("new", new) { context in
      try context.all("Pet", by: "name").map {
        $0.texts("name", "name") + $0.texts("owner", "first")
      }
    }
    #expect(pets.count == 2)
  }

  /// Apple, NSEntityMapping, sourceExpression: the expression yields the objects of the mapping.
  @Test("a mapping without a source entity migrates the objects of its source expression")
  func sourceExpressionAlone() throws {
    let model = mapping()
    let pet = try #require(model.entityMappings.last)
    pet.sourceEntityName = nil
    model.entityMappings = [pet]
    try fixture.migrate(makeManager(), model)
    #expect(try fixture.with("new", new) { try $0.texts("Pet", "name") } == ["Cat", "Dog"])
  }

  @Test("a destination that is associated twice with a source is returned once")
  func repeatedAssociation() throws {
    let calls = NSMutableArray()
    let manager = makeManager()
    manager.userInfo = ["calls": calls]
    try fixture.migrate(manager, mapping(policy: "RepeatingPolicy"))
    #expect(calls.compactMap { ($0 as? NSString).map { "\($0)" } } == ["1", "1"])
  }

  @Test("a mapping that does not exist has neither source nor destination instances")
  func unknownMapping() throws {
    let calls = NSMutableArray()
    let manager = makeManager()
    manager.userInfo = ["calls": calls]
    try fixture.migrate(manager, mapping(policy: "CountingPolicy"))
    #expect(
      calls.compactMap { ($0 as? NSString).map { "\($0)" } } == ["PersonToPerson 2 2", "None 0 0"])
  }

  @Test(
    "the migration throws a policy's error from any phase, and leaves no destination",
    arguments: ["begin", "create", "created", "relate", "related", "validate", "end"])
  func failure(phase: String) throws {
    let manager = makeManager()
    manager.userInfo = ["fails": phase]
    #expect(throws: PolicyFailure(phase: phase)) {
      try fixture.migrate(manager, mapping(policy: "RecordingPolicy"))
    }
    #expect(try fixture.files.filter { $0.hasPrefix("new") } == [])
    #expect(try fixture.with("old", old) { try $0.texts("Pet", "name") } == ["Cat", "Dog"])
  }

  @Test(
    "a policy is found by its name alone, with its module, or with an unknown module",
    arguments: ["NamePolicy", "OpenMigrationTests.NamePolicy", "OldModule.NamePolicy"])
  func policyByName(name: String) throws {
    try fixture.migrate(makeManager(), mapping(policy: name))
    let names = try fixture.with("new", new) { context in
      try context.all("Person", by: "last").map {
        [$0.texts("pets", "name")] + [[$0.value(forKey: "first") as? String ?? "nil"]]
      }
    }
    #expect(names == [[[], ["Bo"]], [["Cat", "Dog"], ["Ada"]]])
  }

  @Test("a policy that is not there is error 134170, which names class and mapping")
  func missingPolicy() throws {
    let error = #expect(throws: CocoaError.self) {
      try fixture.migrate(makeManager(), mapping(policy: "NobodysPolicy"))
    }
    #expect(error?.code.rawValue == 134_170)
    #expect(error?.localizedDescription.contains("NobodysPolicy") == true)
    #expect(error?.localizedDescription.contains("PersonToPerson") == true)
  }

  @Test("expressions call methods of the policy and of the manager's subclass")
  func calls() throws {
    let model = mapping(policy: "NamePolicy")
    model.entityMappings[0].attributeMappings = [
      property("loud", "FUNCTION($entityPolicy, \"shout:\", $source.name)"),
      property("number", "FUNCTION($manager, \"nextNumber\") + 10"),
    ]
    try fixture.migrate(CountingManager(sourceModel: old, destinationModel: new), model)
    let people = try fixture.with("new", new) { context in
      try context.all("Person", by: "last").map {
        "\($0.value(forKey: "loud") as? String ?? "nil") \($0.value(forKey: "number") as? Int ?? -1)"
      }
    }
    #expect(people == ["BO DEREK 12", "ADA LOVELACE 11"])
  }

  /// Apple, NSMigrationManager: expressions may call the getters of the manager's properties.
  @Test("expressions call the getters of the manager's properties")
  func getters() throws {
    let model = mapping()
    model.entityMappings[0].attributeMappings = [
      property(
        "loud",
        "FUNCTION(FUNCTION($manager, \"currentEntityMapping\"), \"valueForKey:\", \"name\")")
    ]
    try fixture.migrate(makeManager(), model)
    let loud = try fixture.with("new", new) { context in
      try context.all("Person", by: "last").map { $0.value(forKey: "loud") as? String }
    }
    #expect(loud == ["PersonToPerson", "PersonToPerson"])
  }

  @Test("the error of a called method is thrown; a missing method is named in the error")
  func badCalls() throws {
    let model = mapping(policy: "NamePolicy")
    model.entityMappings[0].attributeMappings = [
      property("loud", "FUNCTION($entityPolicy, \"fail:\", $source.name)")
    ]
    #expect(throws: PolicyFailure(phase: "fail:")) { try fixture.migrate(makeManager(), model) }
    for (format, code, word) in [
      ("FUNCTION($entityPolicy, \"nothing:\", $source.name)", 134_170, "nothing:"),
      ("FUNCTION($manager, \"nothing:\", $source.name)", 134_110, "nothing:"),
      ("$source.nothing", 134_110, "nothing"),
      (
        "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"None\", $source)",
        134_110, "None"
      ),
      ("FUNCTION($source, \"nothing:\", 1)", 134_110, "nothing:"),
    ] {
      model.entityMappings[0].attributeMappings = [property("loud", format)]
      let error = #expect(throws: CocoaError.self, "\(format)") {
        try fixture.migrate(makeManager(), model)
      }
      #expect(error?.code.rawValue == code, "\(format)")
      #expect(error?.localizedDescription.contains(word) == true, "\(format)")
    }
    #expect(try fixture.files.filter { $0.hasPrefix("new") } == [])
  }

  @Test("objects of a migration are of no class of the application, but the store names the class")
  func classes() throws {
    let named = try #require(new.copy() as? NSManagedObjectModel)
    named.entitiesByName["Person"]?.managedObjectClassName = "NobodysPerson"
    let manager = NSMigrationManager(sourceModel: old, destinationModel: named)
    let compiled = try manager.destinationModel.compiled()
    #expect(compiled.entity(named: "Person")?.className == "NSManagedObject")
    try fixture.migrate(manager, mapping(policy: "NamePolicy"))
    let cached = try #require(try ModelCache.model(inStoreAt: fixture.url("new")))
    #expect(cached.entitiesByName["Person"]?.managedObjectClassName == "NobodysPerson")
    #expect(
      try fixture.with("new", new) { try $0.texts("Person", "last") } == ["Derek", "Lovelace"])
  }
}
