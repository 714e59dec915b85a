import Foundation
import OpenObjectModel
import OpenPredicates
import Testing

@Suite("Differences between models")
struct ModelDifferenceTests {
  private func lines(
    _ change: (NSManagedObjectModel) throws -> Void
  ) throws -> [String] {
    let new = HashedShelf.model()
    try change(new)
    return ModelDifference(from: HashedShelf.model(), to: new).changes.map(\.description)
  }

  @Test("equal models have no differences, in any order")
  func equal() {
    let (old, new) = (HashedShelf.model(), HashedShelf.model())
    new.entities.reverse()
    let difference = ModelDifference(from: old, to: new)
    #expect(difference.isEmpty && difference.description.isEmpty)
    #expect(!difference.needsMigration && difference.changedHashes.isEmpty)
  }

  @Test(
    "every change that version hashes see is a difference", arguments: HashedShelf.visibleChanges)
  func visible(_ change: HashedShelf.Change) throws {
    let new = HashedShelf.model()
    try change.apply(new)
    let difference = ModelDifference(from: HashedShelf.model(), to: new)
    #expect(!difference.isEmpty)
    #expect(difference.needsMigration)
    #expect(!difference.hashChanges.isEmpty)
  }

  @Test("changes that need no migration are also differences, except for order and identity")
  func invisible() throws {
    let same: Set<String> = ["order of constraints", "order of entities", "order of properties"]
    for change in HashedShelf.invisibleChanges {
      let new = HashedShelf.model()
      try change.apply(new)
      let difference = ModelDifference(from: HashedShelf.model(), to: new)
      #expect(difference.isEmpty == same.contains(change.name), "\(change.name)")
      #expect(!difference.needsMigration, "\(change.name)")
      #expect(difference.hashChanges.isEmpty, "\(change.name)")
    }
  }

  @Test("changes of hashes leave out what changes no hash, and name entities whose parent changed")
  func hashChanges() throws {
    let new = HashedShelf.model()
    for change in HashedShelf.invisibleChanges where change.name != "order of entities" {
      try change.apply(new)
    }
    new.entitiesByName["Item"]?.attributesByName["Zeta"]?.isOptional.toggle()
    let difference = ModelDifference(from: HashedShelf.model(), to: new)
    let own = difference.hashChanges.filter { $0.aspect != "version hash" }
    #expect(
      own.map { "\($0.entityName ?? "").\($0.name ?? "") \($0.aspect ?? "")" } == [
        "Item.Zeta optional"
      ])
    let named = Set(difference.hashChanges.compactMap(\.entityName))
    #expect(named == Set(difference.changedHashes))
    #expect(named.count > 1)
  }

  @Test("a renaming identifier that is the name is the same as none")
  func ownNames() throws {
    let lines = try lines { model in
      model.entitiesByName["Volume"]?.renamingIdentifier = "Volume"
      model.entitiesByName["Volume"]?.attributesByName["kept"]?.renamingIdentifier = "kept"
    }
    #expect(lines.isEmpty)
  }

  @Test("default values of Booleans are compared by value")
  func booleanDefaults() {
    func model(_ value: Any) -> NSManagedObjectModel {
      let flag = Make.attribute("flag", .boolean)
      flag.defaultValue = value
      return Make.model([Make.entity("Item", [flag])])
    }
    #expect(ModelDifference(from: model(0), to: model(false)).isEmpty)
    #expect(ModelDifference(from: model(1), to: model(true)).isEmpty)
    let change = ModelDifference(from: model(0), to: model(true)).changes.first
    #expect(change?.oldValue == "NO" && change?.newValue == "YES")
  }

  @Test("a document and its compiled model have no differences and are equal")
  func documentAndCompiledModel() throws {
    let document = try ModelFolder.model(
      """
      <entity name="Item" elementID="Item">
        <attribute name="flag" attributeType="Boolean" defaultValueString="NO"/>
        <fetchedProperty name="others" optional="YES"><fetchRequest name="fetchedPropertyFetchRequest" \
      entity="Item" predicateString="flag == YES"/></fetchedProperty>
      </entity>
      """)
    #expect(document.entitiesByName["Item"]?.propertiesByName["others"]?.isTransient == true)
    let compiled = try ModelArchive.read(
      ModelArchive.write(document, dialect: .mom), path: "M.mom")
    #expect(ModelDifference(from: document, to: compiled).changes.map(\.description) == [])
    #expect(document == compiled)
    #expect(document.entityVersionHashesByName == compiled.entityVersionHashesByName)
  }

  @Test(
    "a renamed entity and property are distinguished from new ones, and their users stay unchanged")
  func renaming() throws {
    let lines = try lines { model in
      model.entitiesByName["Volume"]?.renamingIdentifier = "Volume"
      model.entitiesByName["Volume"]?.attributesByName["kept"]?.renamingIdentifier = "kept"
      model.entitiesByName["Volume"]?.attributesByName["kept"]?.name = "held"
      model.entitiesByName["Volume"]?.name = "Tome"
    }
    #expect(
      lines == [
        "renamed entity Tome from Volume", "renamed attribute Tome.held from kept",
      ])
  }

  @Test("names that two entities exchange are followed by their identifiers")
  func exchange() {
    let old = Make.model([
      Make.entity("A", [Make.attribute("x", .string)]),
      Make.entity("B", [Make.attribute("y", .string)]),
    ])
    let new = Make.model([
      Make.entity("B", [Make.attribute("x", .string)]),
      Make.entity("A", [Make.attribute("y", .string)]),
    ])
    new.entities[0].renamingIdentifier = "A"
    new.entities[1].renamingIdentifier = "B"
    #expect(
      ModelDifference(from: old, to: new).changes.map(\.description) == [
        "renamed entity A from B", "renamed entity B from A",
      ])
  }

  @Test("old and new values are listed")
  func values() throws {
    let lines = try lines { model in
      let item = model.entitiesByName["Item"]
      item?.attributesByName["Zeta"]?.defaultValue = "z"
      item?.attributesByName["Zeta"]?.isOptional = false
      item?.attributesByName["code"]?.setValidationPredicates(
        [NSPredicate(format: "SELF != nil")], withValidationWarnings: ["none"])
      model.entitiesByName["Shelf"]?.relationshipsByName["volumes"]?.deleteRule =
        .cascadeDeleteRule
      model.entitiesByName["Shelf"]?.uniquenessConstraints = [["code"]]
      model.versionIdentifiers = ["2"]
      model.fetchTemplates = ["all": FetchTemplate(entityName: "Item")]
    }
    #expect(
      lines == [
        "changed model: version identifiers \"\" to \"2\"", "added fetch request all",
        "changed attribute Item.Zeta: default nothing to \"z\"",
        "changed attribute Item.Zeta: optional YES to NO",
        "changed attribute Item.code: conditions nothing to SELF != nil [none]",
        "changed relationship Shelf.volumes: delete rule nullify to cascade",
        "removed uniqueness constraint Shelf.cover, code",
      ])
  }

  @Test("an attribute that becomes a relationship is removed and added")
  func otherKind() throws {
    let lines = try lines { model in
      guard let volume = model.entitiesByName["Volume"] else { return }
      let kept = NSRelationshipDescription()
      kept.name = "kept"
      kept.destinationEntity = volume
      volume.properties = volume.properties.filter { $0.name != "kept" } + [kept]
    }
    #expect(lines == ["removed attribute Volume.kept", "added relationship Volume.kept"])
  }
}
