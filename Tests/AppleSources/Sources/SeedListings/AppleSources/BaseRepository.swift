// swift-format-ignore-file
import CoreData

protocol Repository {
    associatedtype Entity: NSManagedObject
    
    func fetch(predicate: NSPredicate?, sortDescriptors: [NSSortDescriptor]?) -> [Entity]
    func fetchFirst(predicate: NSPredicate?) -> Entity?
    func create() -> Entity
    func save(_ entity: Entity)
    func delete(_ entity: Entity)
    func deleteAll(predicate: NSPredicate?)
}

class BaseRepository<T: NSManagedObject>: Repository {
    typealias Entity = T
    
    let context: NSManagedObjectContext
    
    init(context: NSManagedObjectContext = PersistenceController.shared.viewContext) {
        self.context = context
    }
    
    func fetch(predicate: NSPredicate? = nil, sortDescriptors: [NSSortDescriptor]? = nil) -> [T] {
        let request = NSFetchRequest<T>(entityName: String(describing: T.self))
        request.predicate = predicate
        request.sortDescriptors = sortDescriptors
        
        do {
            return try context.fetch(request)
        } catch {
            print("Fetch error: \(error)")
            return []
        }
    }
    
    func fetchFirst(predicate: NSPredicate? = nil) -> T? {
        let request = NSFetchRequest<T>(entityName: String(describing: T.self))
        request.predicate = predicate
        request.fetchLimit = 1
        
        do {
            return try context.fetch(request).first
        } catch {
            print("Fetch first error: \(error)")
            return nil
        }
    }
    
    func create() -> T {
        return T(context: context)
    }
    
    func save(_ entity: T) {
        do {
            try context.save()
        } catch {
            print("Save error: \(error)")
        }
    }
    
    func delete(_ entity: T) {
        context.delete(entity)
        
        do {
            try context.save()
        } catch {
            print("Delete error: \(error)")
        }
    }
    
    func deleteAll(predicate: NSPredicate? = nil) {
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: String(describing: T.self))
        request.predicate = predicate
        
        let deleteRequest = NSBatchDeleteRequest(fetchRequest: request)
        
        do {
            try context.execute(deleteRequest)
        } catch {
            print("Batch delete error: \(error)")
        }
    }
}
