import Foundation
import OpenCoreData
import Testing

/// `NSSQLiteAnalyzeOption` and `NSSQLiteManualVacuumOption`.
@Suite("Maintenance of an added store")
struct StoreMaintenanceTests {
  @Test("the manual vacuum option frees the space of deleted rows")
  func vacuum() throws {
    let files = try FileTestStack()
    let url = files.url("store.sqlite")
    try Self.fillAndEmpty(url, files.model)
    #expect(try Self.statements(addingStoreAt: url, files.model, [:]).allSatisfy { $0 != "VACUUM" })
    let size = try Self.size(of: url)
    let statements = try Self.statements(
      addingStoreAt: url, files.model, [NSSQLiteManualVacuumOption: true])
    #expect(statements.contains("VACUUM"))
    #expect(try Self.size(of: url) <= size)
  }

  @Test("the analyze option recreates the statistics")
  func analyze() throws {
    let files = try FileTestStack()
    let url = files.url("store.sqlite")
    try Self.fillAndEmpty(url, files.model)
    let statements = try Self.statements(
      addingStoreAt: url, files.model, [NSSQLiteAnalyzeOption: true])
    #expect(statements.contains("ANALYZE"))
    #expect(!statements.contains("VACUUM"))
  }

  @Test("a read-only store is not changed")
  func readOnly() throws {
    let files = try FileTestStack()
    let url = files.url("store.sqlite")
    try Self.fillAndEmpty(url, files.model)
    let before = try Data(contentsOf: url)
    let statements = try Self.statements(
      addingStoreAt: url, files.model,
      [
        NSSQLiteManualVacuumOption: true, NSSQLiteAnalyzeOption: true,
        NSReadOnlyPersistentStoreOption: true,
      ])
    #expect(!statements.contains("VACUUM"))
    #expect(!statements.contains("ANALYZE"))
    #expect(try Data(contentsOf: url) == before)
  }

  // MARK: Support

  private static func fillAndEmpty(_ url: URL, _ model: NSManagedObjectModel) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait { () throws in
      for number in 0..<500 {
        let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
        tag.setValue(String(repeating: "\(number) ", count: 200), forKey: "word")
      }
      try context.save()
      for tag in context.registeredObjects { context.delete(tag) }
      try context.save()
    }
    try coordinator.remove(store)
  }

  /// The statements that run while a store is added and removed again.
  private static func statements(
    addingStoreAt url: URL, _ model: NSManagedObjectModel, _ options: [AnyHashable: Any]
  ) throws -> [String] {
    let log = StatementLog()
    var options = options
    options[OpenStatementObserverOption] = log.observer
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    try coordinator.remove(store)
    return log.all
  }

  private static func size(of url: URL) throws -> Int {
    try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
  }
}
