import CoreData
import Foundation
import LibraryModel
import Testing

/// Conversion of requests to another result type, for which Apple's framework has a cast.
@Suite struct RequestCopyTests {
  @Test("a copy is equal and does not follow later changes")
  func copy() {
    let request = NSFetchRequest<Shelf>(entityName: "Shelf")
    request.predicate = NSPredicate(format: "name == 'A'")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
    request.fetchLimit = 1
    request.fetchOffset = 2
    request.fetchBatchSize = 3
    request.resultType = .managedObjectIDResultType
    request.includesSubentities = false
    request.includesPropertyValues = false
    request.includesPendingChanges = false
    request.returnsObjectsAsFaults = false
    request.relationshipKeyPathsForPrefetching = ["items"]
    request.shouldRefreshRefetchedObjects = true
    let copy = NSFetchRequest<NSManagedObjectID>(copying: request)
    request.fetchLimit = 9
    #expect(copy.entityName == "Shelf")
    #expect(copy.predicate == request.predicate)
    #expect(copy.sortDescriptors == request.sortDescriptors)
    #expect(copy.fetchLimit == 1)
    #expect(copy.fetchOffset == 2)
    #expect(copy.fetchBatchSize == 3)
    #expect(copy.resultType == .managedObjectIDResultType)
    #expect(!copy.includesSubentities && !copy.includesPropertyValues)
    #expect(!copy.includesPendingChanges && !copy.returnsObjectsAsFaults)
    #expect(copy.relationshipKeyPathsForPrefetching == ["items"])
    #expect(copy.shouldRefreshRefetchedObjects)
  }

  @Test("a request keeps its entity; the same type returns itself, another type returns nil")
  func recast() {
    let request = NSFetchRequest<Shelf>()
    let entity = NSEntityDescription()
    entity.name = "Shelf"
    request.entity = entity
    #expect(NSFetchRequest<NSManagedObject>.__recast(request)?.entity === entity)
    #expect(NSFetchRequest<Shelf>.__recast(request) === request)
    #expect(NSFetchRequest<Shelf>.__recast("no request") == nil)
  }
}
