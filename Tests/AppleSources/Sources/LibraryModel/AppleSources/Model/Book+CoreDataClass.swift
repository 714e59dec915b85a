// swift-format-ignore-file
//
//  Book+CoreDataClass.swift
//

import Foundation
import CoreData

@objc(Book)
public class Book: Item {

    @objc public enum Status: Int16 {
        case available, lent, lost
    }

    /// An enumeration over a number, with the brackets that accessors of one's own need.
    @objc public dynamic var status: Status {
        get {
            willAccessValue(forKey: #keyPath(statusRaw)); defer { didAccessValue(forKey: #keyPath(statusRaw)) }
            return primitiveStatusRaw.flatMap { Status(rawValue: $0.int16Value) } ?? .available
        }
        set {
            willChangeValue(forKey: #keyPath(Book.statusRaw))
            primitiveStatusRaw = NSNumber(value: newValue.rawValue)
            didChangeValue(forKey: #keyPath(Book.statusRaw))
        }
    }
    @NSManaged private var primitiveStatusRaw: NSNumber?

    @nonobjc public static func titles(startingWith prefix: String, in context: NSManagedObjectContext) throws -> [String] {
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.predicate = NSPredicate(
            format: "%K BEGINSWITH[c] %@", #keyPath(Book.title), prefix)
        request.sortDescriptors = [
            NSSortDescriptor(key: #keyPath(Book.shelf.name), ascending: true),
            NSSortDescriptor(key: #keyPath(
                Book.title
            ), ascending: true),
        ]
        return try context.fetch(request).map { $0.title ?? "" }
    }
}
