// swift-format-ignore-file
import CoreData
import Foundation

/// Records the changes of a book, like a detail screen.
public final class BookWatcher: NSObject {
    public private(set) var titles: [String] = []
    public private(set) var status: Book.Status?
    public private(set) var tagCounts: [Int] = []
    private var observations: [NSKeyValueObservation] = []
    private var shelfObservation: NSKeyValueObservation?

    public init(book: Book) {
        super.init()
        observations.append(book.observe(\.title, options: [.old, .new]) { [weak self] _, change in
            guard let old = change.oldValue as? String, let new = change.newValue as? String, change.kind == .setting else { return }
            self?.titles.append("\(old) → \(new)")
        })
        observations.append(book.observe(\.status, options: [.initial]) { [weak self] book, _ in
            self?.status = book.status
        })
        observations.append(book.observe(\Book.tags) { [unowned self] book, change in
            guard !change.isPrior else { return }
            tagCounts.append(book.tags?.count ?? 0)
        })
        shelfObservation = book.observe(\.shelf?.name, options: .new) { [weak self] _, change in
            self?.titles.append("on \((change.newValue ?? nil) ?? "no shelf")")
        }
    }

    public func stop() {
        observations.forEach { $0.invalidate() }
        observations.removeAll()
        shelfObservation?.invalidate()
        shelfObservation = nil
    }
}
