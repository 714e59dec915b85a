import CoreData
import SampleSupport

@ManagedObject
final class Note: NSManagedObject {
  @Managed var title: String
}

@MainActor let model = sampleModel(["Note": [.attribute("title")]])
