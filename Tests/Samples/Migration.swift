import CoreData
import SampleSupport

@MainActor let oldModel = sampleModel(["Book": [.attribute("title")]])
@MainActor let newModel = sampleModel(["Book": [.attribute("title"), .attribute("publisher")]])
@MainActor let v1 = NSManagedObjectModelReference(
  model: oldModel, versionChecksum: oldModel.versionChecksum)
@MainActor let v2 = v1
@MainActor let v3 = NSManagedObjectModelReference(
  model: newModel, versionChecksum: newModel.versionChecksum)
let newURL = sampleFolder.appendingPathComponent("New.sqlite")
@MainActor let description = sampleDescription("Staged")
/// A store of the old model with a book.
@MainActor let url = {
  let container = sampleContainer(oldModel)
  let context = container.viewContext
  let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
  book.setValue("Emma", forKey: "title")
  do {
    try context.save()
    for store in container.persistentStoreCoordinator.persistentStores {
      try container.persistentStoreCoordinator.remove(store)
    }
  } catch { preconditionFailure("The sample is not saved: \(error)") }
  return sampleFolder.appendingPathComponent("Sample.sqlite")
}()

@MainActor private func publishers(_ description: NSPersistentStoreDescription) throws -> [String?]
{
  let context = sampleContainer(newModel, description: description).viewContext
  let books = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
  return books.map { $0.value(forKey: "publisher") as? String }
}

@MainActor func migrated() throws {
  try expect(try publishers(NSPersistentStoreDescription(url: newURL)) == [nil])
}

@MainActor func staged() throws {
  guard let staged = description.url else { return }
  try FileManager.default.copyItem(at: url, to: staged)
  try expect(try publishers(description) == ["Unknown"])
}
