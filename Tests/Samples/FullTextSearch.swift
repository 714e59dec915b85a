import CoreData
import SampleSupport

@ManagedObject
final class Note: NSManagedObject {
  @Managed var title: String
  @Managed var year: Int32
}

struct SearchField {
  var text = "linux"
}

let searchField = SearchField()
@MainActor let description = sampleDescription()
@MainActor let context = sampleContainer(
  sampleModel([
    "Note": [.attribute("title", isSearched: true), .attribute("year", .integer32AttributeType)]
  ]), description: description
).viewContext
@MainActor let request = NSFetchRequest<Note>(entityName: "Note")
