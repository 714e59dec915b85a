import CoreData
import SampleSupport

/// A service of the samples.
final class NoteService {
  nonisolated(unsafe) static let shared = NoteService()
  var texts: [String: String] = [:]
}

let folder = sampleFolder
let url = sampleFolder.appendingPathComponent("Notes.json")
@MainActor let model = sampleModel(["Note": [.attribute("text")]])
@MainActor let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)

/// Saves a note with one coordinator, and reads it with another.
@MainActor private func keepsNotes(_ type: String, at url: URL) throws {
  let writer = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
  writer.persistentStoreCoordinator = try coordinator(of: type, at: url)
  let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: writer)
  note.setValue("Tea", forKey: "text")
  try writer.save()
  let reader = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
  reader.persistentStoreCoordinator = try coordinator(of: type, at: url)
  let found = try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
  try expect(found.map { $0.value(forKey: "text") as? String } == ["Tea"], type)
}

@MainActor private func coordinator(of type: String, at url: URL) throws
  -> NSPersistentStoreCoordinator
{
  let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
  try coordinator.addPersistentStore(
    ofType: type, configurationName: nil, at: url, options: nil)
  return coordinator
}

@MainActor func notesReturn() throws {
  try keepsNotes("Notes", at: sampleFolder.appendingPathComponent("Other.json"))
}

@MainActor func serviceAnswers() throws {
  try keepsNotes("Service", at: sampleFolder.appendingPathComponent("Service"))
}
