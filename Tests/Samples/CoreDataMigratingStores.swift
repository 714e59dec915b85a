import CoreData
import SampleSupport

@MainActor private let oldModel = sampleModel(["Book": [.attribute("title")]])
@MainActor private let newModel = sampleModel(["Book": [.attribute("title"), .attribute("slug")]])
@MainActor let first = NSManagedObjectModelReference(
  model: oldModel, versionChecksum: oldModel.versionChecksum)
@MainActor let second = NSManagedObjectModelReference(
  model: newModel, versionChecksum: newModel.versionChecksum)

/// The description of a store of the old model with a book.
@MainActor let description = {
  let description = sampleDescription()
  let container = sampleContainer(oldModel, description: sampleDescription())
  let context = container.viewContext
  let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
  book.setValue("Emma", forKey: "title")
  do {
    try context.save()
    for store in container.persistentStoreCoordinator.persistentStores {
      try container.persistentStoreCoordinator.remove(store)
    }
  } catch { preconditionFailure("The sample is not saved: \(error)") }
  return description
}()

@MainActor func filled() throws {
  let context = sampleContainer(newModel, description: description).viewContext
  let books = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
  try expect(books.map { $0.value(forKey: "slug") as? String } == ["emma"])
}
