// swift-format-ignore-file
import CoreData

class QueryBuilder<T: NSManagedObject> {
    private var fetchRequest: NSFetchRequest<T>
    private var predicates: [NSPredicate] = []
    private var sortDescriptors: [NSSortDescriptor] = []
    
    init(entityName: String) {
        fetchRequest = NSFetchRequest<T>(entityName: entityName)
    }
    
    func `where`(_ predicate: NSPredicate) -> QueryBuilder<T> {
        predicates.append(predicate)
        return self
    }
    
    func `where`(_ format: String, _ args: CVarArg...) -> QueryBuilder<T> {
        let predicate = NSPredicate(format: format, arguments: getVaList(args))
        return self.where(predicate)
    }
    
    func orderBy(_ keyPath: String, ascending: Bool = true) -> QueryBuilder<T> {
        let sortDescriptor = NSSortDescriptor(key: keyPath, ascending: ascending)
        sortDescriptors.append(sortDescriptor)
        return self
    }
    
    func limit(_ limit: Int) -> QueryBuilder<T> {
        fetchRequest.fetchLimit = limit
        return self
    }
    
    func offset(_ offset: Int) -> QueryBuilder<T> {
        fetchRequest.fetchOffset = offset
        return self
    }
    
    func execute(in context: NSManagedObjectContext) -> [T] {
        if !predicates.isEmpty {
            fetchRequest.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: predicates)
        }
        
        if !sortDescriptors.isEmpty {
            fetchRequest.sortDescriptors = sortDescriptors
        }
        
        do {
            return try context.fetch(fetchRequest)
        } catch {
            print("Query execution error: \(error)")
            return []
        }
    }
    
    func executeFirst(in context: NSManagedObjectContext) -> T? {
        return limit(1).execute(in: context).first
    }
}
