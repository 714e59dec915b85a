import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import StoreSharing
import Testing

/// The stack of the music library.
@Suite("Music library stack", .serialized)
struct StackTests {
  @Test("the preview has objects of every entity, saved and sound")
  @MainActor
  func preview() throws {
    let preview = KanoraStore.preview
    #expect(preview === KanoraStore.preview)
    #expect(!preview.viewContext.hasChanges)
    for name in try KanoraModel.make().entitiesByName.keys {
      let request = NSFetchRequest<NSManagedObject>(entityName: name)
      #expect(try preview.viewContext.count(for: request) > 0, "no \(name)")
    }
  }
}
