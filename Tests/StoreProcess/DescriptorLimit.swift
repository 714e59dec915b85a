import Foundation
import OpenCoreData
import ProcessModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Limits the number of files that this process can open.
enum DescriptorLimit {
  private struct Refused: Error {}

  /// Saves an XML store while the process can open only one more file, and saves again without the
  /// limit.
  ///
  /// - Returns: The outcome of the first save, and the number of objects in the file after the
  ///   second save.
  static func save(storeAt url: URL) throws -> String {
    let context = ProcessModel.context(try opened(url), author: "process")
    let outcome = try context.performAndWait {
      // The first save may open files that later saves do not need.
      insert(into: context)
      try context.save()
      insert(into: context)
      var outcome = "saved"
      try withOneDescriptor {
        do { try context.save() } catch { outcome = "refused" }
      }
      try context.save()
      return outcome
    }
    let other = ProcessModel.context(try opened(url), author: "process")
    let count = try other.performAndWait {
      try other.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tally"))
    }
    return "\(outcome) \(count)"
  }

  private static func insert(into context: NSManagedObjectContext) {
    _ = NSEntityDescription.insertNewObject(forEntityName: "Tally", into: context)
  }

  private static func opened(_ url: URL) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ProcessModel.make())
    try coordinator.addPersistentStore(type: .xml, configuration: nil, at: url, options: nil)
    return coordinator
  }

  /// Runs work while the process can open one more file.
  private static func withOneDescriptor(_ work: () -> Void) throws {
    // The system assigns the lowest free number.
    let next = open("/dev/null", O_RDONLY)
    close(next)
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    var usual = rlimit()
    guard next >= 0, getrlimit(resource, &usual) == 0 else { throw Refused() }
    var limit = usual
    limit.rlim_cur = rlim_t(next) + 1
    guard setrlimit(resource, &limit) == 0 else { throw Refused() }
    work()
    guard setrlimit(resource, &usual) == 0 else { throw Refused() }
  }
}
