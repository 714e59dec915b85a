import Foundation
import OpenCoreData
import Testing

/// Key paths that yield section names, and key paths that make the fetch throw.
@Suite("Fetched results: section key paths")
struct SectionKeyPathTests {
  private func controller(
    _ path: String, _ stack: ResultsStack, sortedBy key: String = "serial"
  ) -> NSFetchedResultsController<ResultsEntry> {
    let request = NSFetchRequest<ResultsEntry>(entityName: "ResultsEntry")
    request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
    return NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: path,
      cacheName: nil)
  }

  @Test(
    "a section key path with a step that gives no value makes performFetch throw, and names the step",
    arguments: [
      ("folder.nothing", "nothing"), ("section.name", "name"), ("rank.length", "length"),
      ("folder.entries", "entries"), ("folder.entries.rank", "entries"),
      ("folder.entries.@count.more", "entries"), ("folder.entries.@sum.nothing", "nothing"),
      ("folder.entries.@sum", "''"), ("folder.index.more", "more"),
      ("folder.objectID.more", "objectID"),
      ("folder.self.nothing", "nothing"), ("folder.", "''"), ("folder..index", "''"), ("", "''"),
      (".", "''"), ("nothing", "nothing"), ("@count", "@count"),
    ])
  func wrongSteps(_ path: String, _ step: String) throws {
    let stack = try ResultsStack()
    stack.context.performAndWait {
      stack.insert(0, section: "a")
      stack.insert(1, section: "a").folder = ResultsFolder(context: stack.context)
      let controller = controller(path, stack)
      let error = #expect(throws: CocoaError.self) { try controller.performFetch() }
      let message = error?.userInfo[NSLocalizedDescriptionKey] as? String ?? ""
      #expect(message.contains(step))
      #expect(controller.sections == nil)
    }
  }

  @Test(
    "section names come from paths over to-one relationships, counts, sums, averages and lengths",
    arguments: [
      ("folder.index", "folder.index", ["", "1", "2"]),
      ("folder.self.index", "folder.index", ["", "1", "2"]),
      ("folder.entries.@count", "folder.index", ["", "1"]),
      ("folder.entries.@sum.rank", "folder.index", ["", "2", "3"]),
      ("folder.entries.@avg.rank", "folder.index", ["", "2", "3"]),
      ("section.length", "section", ["", "1", "2"]),
    ])
  func rightSteps(_ path: String, _ key: String, _ names: [String]) throws {
    let stack = try ResultsStack()
    try stack.context.performAndWait {
      for number in 0..<3 {
        let entry = stack.insert(
          number + 1, section: number == 0 ? nil : String(repeating: "a", count: number))
        guard number > 0 else { continue }
        let folder = ResultsFolder(context: stack.context)
        folder.index = Int32(number)
        entry.folder = folder
      }
      try stack.context.save()
      let controller = controller(path, stack, sortedBy: key)
      try controller.performFetch()
      #expect(controller.sections?.map(\.name) == names)
    }
  }
}
