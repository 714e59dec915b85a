import Foundation
import Testing

@Suite("A process that can open only one more file")
struct DescriptorLimitTests {
  @Test("a save of an XML store that throws leaves the file unchanged, and succeeds later")
  func save() throws {
    let store = try SharedStore()
    let path = store.folder.appendingPathComponent("store.xml").path
    #expect(try ChildProcess().ask("descriptors \(path)") == "refused 2")
  }
}
