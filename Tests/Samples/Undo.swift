import CoreData
import SampleSupport

@ManagedObject
final class Note: NSManagedObject {
  @Managed var title: String?
  @Managed var lastOpened: Date?
}

@MainActor let container = sampleContainer(
  sampleModel(["Note": [.attribute("title"), .attribute("lastOpened", .dateAttributeType)]]))
@MainActor let context = container.viewContext
@MainActor let note = Note(context: context)

func importNotes() {}
