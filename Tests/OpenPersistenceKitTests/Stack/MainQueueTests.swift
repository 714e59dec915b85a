import CoreData
import OpenPersistenceKit
import Testing

@Suite("Main-queue contexts in programs with an asynchronous main function")
struct MainQueueTests {
  @Test("work that waits on the main queue can wait for it again, also through another context")
  @MainActor
  func nesting() throws {
    let persistence = PersistenceController(inMemory: true)
    let main = persistence.viewContext
    let (one, two) = (persistence.newBackgroundContext(), persistence.newBackgroundContext())
    var steps: [Int] = []
    main.performAndWait {
      steps.append(1)
      one.performAndWait {
        main.performAndWait { steps.append(2) }
        two.performAndWait { main.performAndWait { steps.append(3) } }
        main.performAndWait { steps.append(4) }
      }
    }
    #expect(steps == [1, 2, 3, 4])
  }

  @Test("elsewhere the work runs on the main queue while the caller waits")
  func waiting() async throws {
    let persistence = PersistenceController(inMemory: true)
    let isOnMain = persistence.viewContext.performAndWait {
      (try? persistence.viewContext.checkThreading()) != nil
    }
    #expect(isOnMain)
    let background = persistence.newBackgroundContext()
    #expect(background.performAndWait { (try? persistence.viewContext.checkThreading()) == nil })
  }
}
