import CoreData
import Foundation

// Batch work, fetch settings and caches as an app writes them.

extension Array {
  /// The helper that the listing leaves to the app.
  func chunked(into size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}

extension PersistenceController {
  func batchInsert<T: NSManagedObject>(entities: [T], batchSize: Int = 1000) {
    let entityName = String(describing: T.self)

    for chunk in entities.chunked(into: batchSize) {
      performBackgroundTask { context in
        for entity in chunk {
          // Create new entity in this context
          let newEntity = NSEntityDescription.insertNewObject(
            forEntityName: entityName, into: context)
          // Copy properties from original entity
          self.copyProperties(from: entity, to: newEntity)
        }
      }
    }
  }

  /// The helper that the listing leaves to the app.
  private func copyProperties(from source: NSManagedObject, to destination: NSManagedObject) {
    for name in source.entity.attributesByName.keys {
      destination.setValue(source.value(forKey: name), forKey: name)
    }
  }

  func batchUpdate(
    entityName: String, predicate: NSPredicate, propertiesToUpdate: [String: Any]
  ) {
    let batchUpdateRequest = NSBatchUpdateRequest(entityName: entityName)
    batchUpdateRequest.predicate = predicate
    batchUpdateRequest.propertiesToUpdate = propertiesToUpdate
    batchUpdateRequest.resultType = .updatedObjectIDsResultType

    do {
      let result = try viewContext.execute(batchUpdateRequest) as? NSBatchUpdateResult

      if let objectIDs = result?.result as? [NSManagedObjectID] {
        let changes = [NSUpdatedObjectsKey: objectIDs]
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [viewContext])
      }
    } catch {
      print("Batch update error: \(error)")
    }
  }

  func batchDelete(entityName: String, predicate: NSPredicate) {
    let fetchRequest = NSFetchRequest<NSFetchRequestResult>(entityName: entityName)
    fetchRequest.predicate = predicate

    let batchDeleteRequest = NSBatchDeleteRequest(fetchRequest: fetchRequest)
    batchDeleteRequest.resultType = .resultTypeObjectIDs

    do {
      let result = try viewContext.execute(batchDeleteRequest) as? NSBatchDeleteResult

      if let objectIDs = result?.result as? [NSManagedObjectID] {
        let changes = [NSDeletedObjectsKey: objectIDs]
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [viewContext])
      }
    } catch {
      print("Batch delete error: \(error)")
    }
  }
}

extension NSFetchRequest {
  func optimizeForPerformance() {
    // Optimize for performance
    includesSubentities = false
    includesPropertyValues = true
    returnsObjectsAsFaults = false

    // Set reasonable batch size
    fetchBatchSize = 20

    // Use appropriate relationship key paths
    relationshipKeyPathsForPrefetching = ["forum", "posts"]
  }

  func optimizeForMemory() {
    // Optimize for memory usage
    includesPropertyValues = false
    returnsObjectsAsFaults = true

    // Smaller batch size
    fetchBatchSize = 10
  }
}
