public import CoreData
import SwiftData
public import OpenPersistenceKit

/// A story as a managed object of a Core Data stack that uses the same store as the models.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class ManagedStory: NSManagedObject {
  /// The story's id.
  @Managed public var id: UUID
  /// The title.
  @Managed public var title: String
  /// The creation date.
  @Managed public var createdAt: Date
  /// The theme.
  @Managed public var theme: String
  /// The main character.
  @Managed public var mainCharacter: String
  /// The number of times that the story was read.
  @Managed public var readCount: Int64
  /// Whether the story is a favourite.
  @Managed public var isFavorite: Bool

  /// Returns a request for stories, newest first.
  public static func newestFirst() -> NSFetchRequest<ManagedStory> {
    let request = NSFetchRequest<ManagedStory>(entityName: "Story")
    request.sortDescriptors = [
      NSSortDescriptor(key: "createdAt", ascending: false),
      NSSortDescriptor(key: "id", ascending: true),
    ]
    return request
  }
}

/// The stories of a Core Data stack, the alternative to SwiftData. Both can use the same file.
///
/// > Concurrency: Confined to the queue of its context.
public final class ManagedStoryRepository: Repository {
  public typealias Query = NSFetchRequest<ManagedStory>

  /// The context that the stories belong to.
  public let context: NSManagedObjectContext

  /// Creates the repository of a context.
  public init(context: NSManagedObjectContext) { self.context = context }

  /// Creates the model of a Core Data stack for the library's store.
  ///
  /// - Throws: An error if the schema cannot be converted to a model.
  public static func makeModel() throws -> NSManagedObjectModel {
    let model = try NSManagedObjectModel.model(for: StoriesStore.schema)
    model.entitiesByName["Story"]?.managedObjectClassName = NSStringFromClass(ManagedStory.self)
    return model
  }

  /// Creates a story, which the next save writes.
  public func make(title: String, createdAt: Date) -> ManagedStory {
    let story = ManagedStory(context: context)
    story.id = UUID()
    story.title = title
    story.createdAt = createdAt
    // An enumeration of a model is a composite attribute with one element, which has the name of the attribute.
    story.setValue(["ageGroup": AgeGroup.sixToEight.rawValue], forKey: "ageGroup")
    story.readCount = 0
    story.isFavorite = false
    story.theme = ""
    story.mainCharacter = ""
    return story
  }

  public func fetch(_ request: NSFetchRequest<ManagedStory>) async throws -> [ManagedStory] {
    do { return try context.fetch(request) } catch { throw PersistenceError.fetchFailed(error) }
  }

  public func save(_ item: ManagedStory) async throws {
    if item.managedObjectContext == nil { context.insert(item) }
    try saveChanges()
  }

  public func delete(_ item: ManagedStory) async throws {
    context.delete(item)
    do { try context.save() } catch { throw PersistenceError.deleteFailed(error) }
  }

  public func update(_ item: ManagedStory) async throws {
    if item.managedObjectContext !== context { throw PersistenceError.invalidData }
    try saveChanges()
  }

  private func saveChanges() throws {
    do { try context.save() } catch { throw PersistenceError.saveFailed(error) }
  }
}
