// swift-format-ignore-file
import CoreData

// MARK: - Business Logic Extensions

extension Forum {
    var threadsArray: [Thread] {
        return threads?.allObjects as? [Thread] ?? []
    }
    
    var sortedThreads: [Thread] {
        return threadsArray.sorted { $0.lastPostDate ?? Date.distantPast > $1.lastPostDate ?? Date.distantPast }
    }
    
    func addThread(_ thread: Thread) {
        thread.forum = self
        addToThreads(thread)
    }
    
    var hasUnreadThreads: Bool {
        return threadsArray.contains { $0.hasUnreadPosts }
    }
}

extension Thread {
    var postsArray: [Post] {
        return posts?.allObjects as? [Post] ?? []
    }
    
    var sortedPosts: [Post] {
        return postsArray.sorted { $0.index < $1.index }
    }
    
    var unreadPostCount: Int32 {
        return max(0, postCount - lastReadPostIndex)
    }
    
    func markAsRead() {
        hasUnreadPosts = false
        lastReadPostIndex = postCount
    }
    
    func addPost(_ post: Post) {
        post.thread = self
        addToPosts(post)
        postCount = Int32(postsArray.count)
    }
}

extension Post {
    var formattedDate: String {
        guard let date = postDate else { return "" }
        return DateFormatter.postDateFormatter.string(from: date)
    }
    
    var htmlContent: String {
        return innerHTML ?? content
    }
}
