// swift-format-ignore-file
import CoreData
import XCTest
@testable import SeedListings

// Test example
class ForumsRepositoryTests: XCTestCase {
    var testStack: CoreDataTestStack!
    var repository: ForumsRepository!
    
    override func setUp() {
        super.setUp()
        testStack = CoreDataTestStack()
        repository = ForumsRepository(context: testStack.viewContext)
    }
    
    func testFetchVisibleForums() {
        // Given
        let forum1 = repository.create()
        forum1.id = 1
        forum1.title = "Forum 1"
        forum1.isHidden = false
        
        let forum2 = repository.create()
        forum2.id = 2
        forum2.title = "Forum 2"
        forum2.isHidden = true
        
        repository.save(forum1)
        repository.save(forum2)
        
        // When
        let visibleForums = repository.fetchVisibleForums()
        
        // Then
        XCTAssertEqual(visibleForums.count, 1)
        XCTAssertEqual(visibleForums[0].title, "Forum 1")
    }
}
