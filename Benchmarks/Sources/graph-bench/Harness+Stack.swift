import BenchModel
import Foundation
import OpenCoreData

extension Harness {
  /// Returns a container that has opened the database with the settings that all runners share.
  func openContainer() throws -> NSPersistentContainer {
    let container = NSPersistentContainer(
      name: "Forum", managedObjectModel: ForumModel.make(isConstrained: variant == .constraint))
    let description = NSPersistentStoreDescription(url: try storeURL)
    if !isOnServer {
      for (name, value) in [
        "journal_mode": "WAL", "synchronous": "NORMAL", "cache_size": "-16000",
        "temp_store": "MEMORY",
      ] {
        description.setValue(value as NSString, forPragmaNamed: name)
      }
    }
    if hasHistory {
      description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    }
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container
  }

  private var storeURL: URL {
    get throws {
      guard isOnServer else { return URL(fileURLWithPath: database) }
      guard let url = URL(string: database) else { throw CocoaError(.fileNoSuchFile) }
      return url
    }
  }
}

extension NSString {
  convenience init(_ text: String) { self.init(string: text) }
}
