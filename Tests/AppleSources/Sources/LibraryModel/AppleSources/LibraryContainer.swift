// swift-format-ignore-file
import CoreData

/// A stack as applications for Apple systems load it, from the compiled model in their bundle.
public final class LibraryContainer {
    public static let managedObjectModel: NSManagedObjectModel = {
        let modelURL = Bundle.module.url(forResource: "Library", withExtension: "momd")!
        return NSManagedObjectModel(contentsOf: modelURL)!
    }()

    public let persistentContainer: NSPersistentContainer

    public init() {
        persistentContainer = NSPersistentContainer(
            name: "Library", managedObjectModel: Self.managedObjectModel)
    }
}
