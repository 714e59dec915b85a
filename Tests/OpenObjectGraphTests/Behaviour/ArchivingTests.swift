import Foundation
import OpenCoreData
import Testing

/// Values of transformable attributes whose archiving runs code of the application.
@Suite("Archiving values")
struct ArchivingTests {
  @Test(
    "a value can set properties of its object while a save archives it",
    arguments: UndoModel.stores)
  func meddling(type: String) throws {
    let context = try UndoModel.context(type, blobClass: "Meddler")
    try context.performAndWait { () throws in
      let node = UndoModel.insert("Node", "a text that needs memory of its own", in: context)
      let meddler = Meddler { [unowned node] in
        for number in 0..<4 {
          node.setValue("another text that needs memory of its own, \(number)", forKey: "name")
          node.setValue(number, forKey: "number")
          node.setValue("new", forKey: "note")
        }
      }
      for code in 1..<4 {
        node.setValue(code, forKey: "code")
        node.setValue(meddler, forKey: "blob")
        try context.save()
        #expect(meddler.callCount == code)
        context.refresh(node, mergeChanges: false)
        #expect(node.value(forKey: "code") as? Int == code)
        #expect(node.value(forKey: "name") is String)
      }
    }
  }
}

/// Runs code when it is archived. A top-level class, because archives cannot name nested classes.
final class Meddler: NSObject, NSCoding {
  private let meddle: () -> Void
  private(set) var callCount = 0

  init(_ meddle: @escaping () -> Void) { self.meddle = meddle }

  init?(coder: NSCoder) { meddle = {} }

  func encode(with coder: NSCoder) {
    callCount += 1
    meddle()
  }
}
