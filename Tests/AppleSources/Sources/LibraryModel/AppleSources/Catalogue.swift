// swift-format-ignore-file
import CoreData

/// An application's queries to its library.
public struct Catalogue {
    public let context: NSManagedObjectContext

    public init(context: NSManagedObjectContext) { self.context = context }

    /// Counts through a request without type, as code for Apple systems gets it.
    public func countOfShelves() throws -> Int {
        let request = Shelf.fetchRequest() as! NSFetchRequest<NSFetchRequestResult>
        request.includesSubentities = false
        return try context.count(for: request)
    }

    /// Deletes in the store, with a request that was typed before.
    public func deleteNotes(madeBefore date: Date) throws {
        let typed = NSFetchRequest<Note>(entityName: "Note")
        typed.predicate = NSPredicate(format: "%K < %@", #keyPath(Note.madeAt), date as NSDate)
        guard let request = typed as? NSFetchRequest<NSFetchRequestResult> else { return }
        try context.execute(NSBatchDeleteRequest(fetchRequest: request))
    }

    /// Notes in one book, through its title.
    public func notes(inBookTitled title: String) throws -> [Note] {
        let request = NSFetchRequest<Note>(entityName: "Note")
        request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
            NSPredicate(format: "\(#keyPath(Note.chapter.book.title)) == %@", title as CVarArg),
            NSPredicate(format: #keyPath(Note.stars) + " >= 0"),
        ])
        return try context.fetch(request)
    }

    /// A chapter's notes as a set of their type, which is Swift's: an entity of this model is called Set.
    public func notes(of chapter: Chapter) -> Swift.Set<Note> {
        chapter.mutableSetValue(forKey: #keyPath(Chapter.notes)) as! Swift.Set<Note>
    }
}
