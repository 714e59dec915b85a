import CoreData
import OpenPersistenceKit
import SampleSupport

@ManagedObject
final class User: NSManagedObject {
  @Managed var userID: String
  @Managed var name: String?
}

@MainActor let model = sampleModel(["User": [.attribute("userID"), .attribute("name")]])
