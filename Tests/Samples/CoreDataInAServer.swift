import CoreData
import SampleSupport

@ManagedObject
final class Note: NSManagedObject {
  @Managed var title: String
  @Managed var text: String
}

let url = sampleFolder.appendingPathComponent("Notes.sqlite")
@MainActor let model = sampleModel(["Note": [.attribute("title"), .attribute("text")]])
@MainActor let container = {
  do { return try NoteService(storeAt: url, model: model).container } catch {
    preconditionFailure("The store does not open: \(error)")
  }
}()

@MainActor func hundred() async throws {
  let request = NSFetchRequest<Note>(entityName: "Note")
  try expect(try container.viewContext.count(for: request) == 100)
  let added = try await Importer(container).add([NoteBody(title: "One", text: "more")])
  try expect(added == 1)
}
