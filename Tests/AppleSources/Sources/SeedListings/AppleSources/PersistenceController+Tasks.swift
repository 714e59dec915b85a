// swift-format-ignore-file
import CoreData

extension PersistenceController {
    // Background import context
    func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
        let context = newBackgroundContext()
        context.perform {
            block(context)
            self.saveContext(context: context)
        }
    }
    
    // Main queue operations
    func performMainQueueTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
        let context = viewContext
        context.perform {
            block(context)
            self.save()
        }
    }
    
    // Batch operations
    func performBatchOperation<T>(_ operation: @escaping (NSManagedObjectContext) -> T) -> T? {
        let context = newBackgroundContext()
        var result: T?
        
        context.performAndWait {
            result = operation(context)
            self.saveContext(context: context)
        }
        
        return result
    }
}
