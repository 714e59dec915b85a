import Foundation
import OpenCoreData
import Testing

/// Conversion of controllers to another result type, for which Apple's framework has a cast.
@Suite("Fetched results: result types")
struct ResultsRecastTests {
  private typealias Untyped = NSFetchedResultsController<any NSFetchRequestResult>

  @Test("a cast controller has the same results; casting back returns the original controller")
  func recast() throws {
    let stack = try ResultsStack()
    try stack.seed(4, perSection: 2)
    try stack.context.performAndWait {
      let controller = stack.controller(sections: true)
      let untyped = try #require(Untyped.__recast(controller))
      try untyped.performFetch()
      #expect(controller.fetchedObjects?.count == 4)
      #expect(untyped.sections?.count == 2)
      // The macro would compare the objects themselves.
      let isSame = untyped === controller
      #expect(isSame)
      let typed: AnyObject? = NSFetchedResultsController<ResultsEntry>.__recast(untyped)
      #expect(typed === controller as AnyObject)
      #expect(Untyped.__recast(untyped) as AnyObject? === untyped as AnyObject)
    }
  }

  @Test("other objects cannot be cast to a controller")
  func otherValues() {
    #expect(Untyped.__recast(nil) == nil)
    #expect(Untyped.__recast("no controller") == nil)
    #expect(Untyped.__recast(NSFetchRequest<ResultsEntry>(entityName: "ResultsEntry")) == nil)
  }
}
