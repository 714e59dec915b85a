import Foundation
import OpenObjectModel
import OpenPredicates
import Testing

@Suite("Version hashes")
struct VersionHashTests {
  @Test("an entity of two texts has the hashes, checksum and digest that Apple's store has")
  func workedExample() throws {
    let name = Make.attribute("name", .string, optional: false)
    let petName = Make.attribute("petName", .string)
    let user = Make.entity("User", [name, petName])
    let model = NSManagedObjectModel()
    model.entities = [user]
    #expect(
      name.versionHash.hexadecimal
        == "8cb9965c0031ac68913984f3110941ad965395be9fd9b17de7be54bc7ad46890")
    #expect(
      petName.versionHash.hexadecimal
        == "3600ceedf50b080f90041365395158784f0deb03bc9acddf1cad607c4fe50742")
    #expect(
      user.versionHash.base64EncodedString() == "azH06XtpHRbEyCC65V+JQI1HATvUIVHs/eHqx/5L55g=")
    #expect(model.entityVersionHashesByName == ["User": user.versionHash])
    #expect(model.versionChecksum == "u970QgYhRHEJGIt0zQr1UhuZL2ZJ1KxBS+B7rkAx0ik=")
    #expect(
      model.versionHashesDigest
        == "0KLB/FnL8roMcgeszeCxnPnvYqnn4VzB2DpFP6csqrDKzLB6fyG5rrVfjY5DtnQxx4355oWuKFublPf2Jo1UWg=="
    )
  }

  @Test("the entity of Xcode's template has the hash that every such store has")
  func template() {
    let event = Make.entity("Event", [Make.attribute("timeStamp", .date)])
    #expect(
      event.versionHash.hexadecimal
        == "5431c046d30e7f32c2cc809958add1e7579ad104a3aa8fc4846e97d7af01cc79")
  }

  @Test("parents, constraints, derived, composite and ordered properties enter as documented")
  func everyFeature() {
    let model = HashedShelf.model()
    let hashes = model.entityVersionHashesByName.mapValues { $0.hexadecimal }
    #expect(
      hashes == [
        "Item": "94d0f331dd60d345fb067e1a4c85b7af47db64eebd32676f7ba87a847054a81d",
        "Shelf": "9e9352a6d6a6b05e5fec0c15c5d4c638de696eec0df7bda6d3196515441f2b1e",
        "Volume": "ebbda99e31d2a45a2101736b4cf5f1c7d695610b70dcd2cde80305594372b091",
      ])
    #expect(model.versionChecksum == "lsLCmqpUY7ycWytJr0GWB2IZye0TBR1OwqQCE/4lvxw=")
    #expect(
      model.versionHashesDigest
        == "UjpAlQCvzJDTsi28CW1u7yTHNBWfT/n3xhcllQRJoHB4RuyG1daPhK9ou8Eja3o5E2cM1R5BcB+tDHRENnhjiA=="
    )
    for entity in model.entities {
      #expect(entity.versionHash == model.entityVersionHashesByName[entity.name ?? ""])
    }
  }

  @Test(
    "differences without effect on a store do not change the hash",
    arguments: HashedShelf.invisibleChanges)
  func insensitive(_ change: HashedShelf.Change) throws {
    let model = HashedShelf.model()
    try change.apply(model)
    #expect(model.entityVersionHashesByName == HashedShelf.model().entityVersionHashesByName)
  }

  @Test(
    "differences with an effect on a store change the hash", arguments: HashedShelf.visibleChanges)
  func sensitive(_ change: HashedShelf.Change) throws {
    let model = HashedShelf.model()
    try change.apply(model)
    #expect(model.entityVersionHashesByName != HashedShelf.model().entityVersionHashesByName)
    #expect(model.versionChecksum != HashedShelf.model().versionChecksum)
  }

  @Test("an aggregate hashes the same as a key path and as a function")
  func derivations() throws {
    func hash(_ format: String) throws -> Data {
      let attribute = NSDerivedAttributeDescription()
      attribute.derivationExpression = try .parsing(format)
      return attribute.versionHash
    }
    #expect(try hash("volumes.@count") == hash("count:(volumes)"))
    #expect(try hash("volumes.@sum.pages") == hash("sum:(volumes.pages)"))
    #expect(try hash("a.b").hexadecimal == SHA2.hash256(Array("a.b".utf8)).hexadecimal)
    #expect(
      try hash("canonical:(title)").hexadecimal
        == SHA2.hash256(Array("canonical:(title)".utf8)).hexadecimal)
  }

  @Test("no limit has the same hash as -1 and as the maximum integer, but not as 0")
  func unboundedCounts() {
    func hash(_ maxCount: Int) -> Data {
      let relationship = NSRelationshipDescription()
      relationship.name = "parts"
      relationship.maxCount = maxCount
      return relationship.versionHash
    }
    #expect(hash(-1) == hash(.max))
    #expect(hash(-1) != hash(0))
  }

  @Test("a deep inheritance tree costs each property once")
  func deepTree() {
    var chain: [NSEntityDescription] = []
    for level in 0..<2000 {
      let entity = Make.entity("E\(level)", [])
      entity.uniquenessConstraints = [["x"]]
      chain.append(entity)
    }
    for (parent, child) in zip(chain, chain.dropFirst()) { parent.subentities = [child] }
    chain[0].properties = [Make.attribute("x", .string)]
    let model = NSManagedObjectModel()
    model.entities = chain.reversed()
    #expect(Set(model.entityVersionHashesByName.values).count == 2000)
    #expect(chain[1999].versionHash.count == 32)
  }

  @Test("entities that are their own ancestors do not hang")
  func circle() {
    let (first, second) = (Make.entity("A", []), Make.entity("B", []))
    first.subentities = [second]
    second.subentities = [first]
    defer { second.subentities = [] }
    #expect(first.versionHash.count == 32)
    let composite = NSCompositeAttributeDescription()
    composite.elements = [composite, composite]
    defer { composite.elements = [] }
    #expect(composite.versionHash.count == 32)
  }

  @Test("an entity without name and properties has a hash")
  func empty() {
    #expect(NSEntityDescription().versionHash.count == 32)
    #expect(NSManagedObjectModel().entityVersionHashesByName.isEmpty)
    #expect(!NSManagedObjectModel().versionChecksum.isEmpty)
  }
}
