import Foundation
import OpenCoreData
import OpenObjectModel
import OpenSwiftData
import Testing

/// Constraints and indexes of subclasses that contain inherited properties.
private enum Mail {
  @Model class MailItem {
    var code: String
    init(code: String) { self.code = code }
  }

  @Model final class SealedLetter: MailItem {
    #Unique<SealedLetter>([\.code, \.box])
    #Index<SealedLetter>([\.code])

    var box: Int

    init(code: String, box: Int) {
      self.box = box
      super.init(code: code)
    }
  }

  /// Would also make the codes of all mail items unique.
  @Model final class Postcard: MailItem {
    #Unique<Postcard>([\.code])

    var motif: String = "sea"

    init(card code: String) { super.init(code: code) }
  }
}

@Suite("Constraints and indexes with inherited properties")
struct InheritedConstraintTests {
  @Test("a constraint and an index of a subclass can contain inherited properties")
  func model() throws {
    let model = try Schema([Mail.SealedLetter.self]).managedObjectModel()
    let letter = try #require(model.entitiesByName["SealedLetter"])
    #expect(letter.uniquenessConstraints as? [[String]] == [["code", "box"]])
    #expect(letter.indexes.map(\.name) == ["SwiftDataIndexOnBinarycode"])
  }

  @Test(
    "a constraint with an inherited property applies to the subclass", arguments: [true, false])
  func upserts(inMemory: Bool) throws {
    let context = try Library.context(
      Schema([Mail.MailItem.self, Mail.SealedLetter.self]), inMemory: inMemory)
    for box in [1, 2, 1] { context.insert(Mail.SealedLetter(code: "a", box: box)) }
    for _ in 0..<2 { context.insert(Mail.MailItem(code: "a")) }
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Mail.SealedLetter>()) == 2)
    #expect(try context.fetchCount(FetchDescriptor<Mail.MailItem>()) == 4)
  }

  @Test("a constraint with only inherited properties is an error that names them (D-449)")
  func onlyInherited() {
    let error = #expect(throws: SchemaError.self) {
      try Schema([Mail.Postcard.self]).managedObjectModel()
    }
    #expect(error?.code == .unsupportedConstraint)
    #expect(error?.entityName == "Postcard" && error?.propertyName == "code")
    #expect(error?.message.contains("inherited properties: code.") == true)
  }
}
