import CoreData
import SampleSupport

@MainActor let description = sampleDescription()
@MainActor let container = sampleContainer(
  sampleModel(["Note": [.attribute("text")]]), description: description)
@MainActor let coordinator = container.persistentStoreCoordinator
@MainActor let viewContext = container.viewContext
@MainActor let context = {
  let context = container.newBackgroundContext()
  context.performAndWait {
    _ = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
    do { try context.save() } catch { preconditionFailure("The sample is not saved: \(error)") }
  }
  return context
}()
@MainActor var lastToken: NSPersistentHistoryToken?

@MainActor func merged() throws {
  try expect(lastToken != nil)
}
