import CoreData
import Foundation

// The repositories and the query builder as an app writes them, over the plain stack.

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

class ForumsRepository: BaseRepository<Forum> {
  func fetchVisibleForums() -> [Forum] {
    let predicate = NSPredicate(format: "isHidden == NO")
    let sortDescriptors = [NSSortDescriptor(keyPath: \Forum.index, ascending: true)]
    return fetch(predicate: predicate, sortDescriptors: sortDescriptors)
  }

  func fetchForum(by id: Int32) -> Forum? {
    let predicate = NSPredicate(format: "id == %d", id)
    return fetchFirst(predicate: predicate)
  }

  func updateLastRefresh(for forum: Forum) {
    forum.lastRefresh = Date()
    save(forum)
  }
}

class ThreadsRepository: BaseRepository<Thread> {
  func fetchThreads(for forum: Forum, includeSticky: Bool = true) -> [Thread] {
    var predicateFormat = "forum == %@"
    if !includeSticky {
      predicateFormat += " AND isSticky == NO"
    }

    let predicate = NSPredicate(format: predicateFormat, forum)
    let sortDescriptors = [
      NSSortDescriptor(keyPath: \Thread.isSticky, ascending: false),
      NSSortDescriptor(keyPath: \Thread.lastPostDate, ascending: false),
    ]

    return fetch(predicate: predicate, sortDescriptors: sortDescriptors)
  }

  func fetchUnreadThreads() -> [Thread] {
    let predicate = NSPredicate(format: "hasUnreadPosts == YES")
    let sortDescriptors = [NSSortDescriptor(keyPath: \Thread.lastPostDate, ascending: false)]
    return fetch(predicate: predicate, sortDescriptors: sortDescriptors)
  }

  func markThreadAsRead(_ thread: Thread) {
    thread.markAsRead()
    save(thread)
  }
}

class PostsRepository: BaseRepository<Post> {
  func fetchPosts(for thread: Thread, page: Int = 1, postsPerPage: Int = 40) -> [Post] {
    let predicate = NSPredicate(format: "thread == %@", thread)
    let sortDescriptors = [NSSortDescriptor(keyPath: \Post.index, ascending: true)]

    let request = NSFetchRequest<Post>(entityName: "Post")
    request.predicate = predicate
    request.sortDescriptors = sortDescriptors
    request.fetchOffset = (page - 1) * postsPerPage
    request.fetchLimit = postsPerPage

    do {
      return try context.fetch(request)
    } catch {
      print("Fetch posts error: \(error)")
      return []
    }
  }

  func fetchPost(by id: Int32) -> Post? {
    let predicate = NSPredicate(format: "id == %d", id)
    return fetchFirst(predicate: predicate)
  }
}

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
