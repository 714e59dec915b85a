// swift-format-ignore-file
import CoreData

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
            NSSortDescriptor(keyPath: \Thread.lastPostDate, ascending: false)
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
