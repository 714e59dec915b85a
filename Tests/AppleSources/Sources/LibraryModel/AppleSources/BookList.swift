// swift-format-ignore-file
import Foundation
import CoreData

/// A list of books that a table shows.
public final class BookList: NSObject, NSFetchedResultsControllerDelegate {
    public let controller: NSFetchedResultsController<NSFetchRequestResult>
    public private(set) var changedTitles: [String] = []
    private let lock = NSObject()

    public init(context: NSManagedObjectContext) {
        let request = EBook.fetchRequest() as! NSFetchRequest<NSFetchRequestResult> as! NSFetchRequest<EBook>
        request.entity = NSEntityDescription.entity(forEntityName: "EBook", in: context)
        request.sortDescriptors = [
            NSSortDescriptor(
                key: #keyPath(EBook.title), ascending: true,
                selector: #selector(NSString.localizedCaseInsensitiveCompare(_:))),
        ]
        let typed = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        controller = typed as! NSFetchedResultsController<NSFetchRequestResult>
        super.init()
        controller.delegate = self
    }

    public func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        guard let books = controller as? NSFetchedResultsController<EBook> else { return }
        objc_sync_enter(lock); defer { objc_sync_exit(lock) }
        changedTitles = books.fetchedObjects?.compactMap { $0.title } ?? []
    }

    #if canImport(UIKit)
    public func observe() {
        NotificationCenter.default.addObserver(
            self, selector: #selector(refresh(_:)), name: .NSManagedObjectContextDidSave, object: nil)
    }
    @objc private func refresh(_ note: Notification) {}
    #endif
}
