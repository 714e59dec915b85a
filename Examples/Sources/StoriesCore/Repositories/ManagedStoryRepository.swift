public import CoreData
import SwiftData
public import OpenPersistenceKit

/// A story as a managed object of a Core Data stack, which has the same store as the models.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class ManagedStory: NSManagedObject {
  /// The story's own id.
  @Managed public var id: UUID
  /// The title.
  @Managed public var title: String
  /// When it was made.
  @Managed public var createdAt: Date
  /// What it is about.
  @Managed public var theme: String
  /// Who it is about.
  @Managed public var mainCharacter: String
  /// How often it was read.
  @Managed public var readCount: Int64
  /// Whether it is among the favourites.
  @Managed public var isFavorite: Bool

  /// A request for stories, the newest first.
  public static func newestFirst() -> NSFetchRequest<ManagedStory> {
    let request = NSFetchRequest<ManagedStory>(entityName: "Story")
    request.sortDescriptors = [
      NSSortDescriptor(key: "createdAt", ascending: false),
      NSSortDescriptor(key: "id", ascending: true),
    ]
    return request
  }
}

/// The stories of a Core Data stack: the other layer beside SwiftData, on the same file if both are asked to.
///
/// > Concurrency: Confined to the queue of its context.
public final class ManagedStoryRepository: Repository {
  public typealias Query = NSFetchRequest<ManagedStory>

  /// The context that the stories belong to.
  public let context: NSManagedObjectContext

  /// Makes the repository of a context.
  public init(context: NSManagedObjectContext) { self.context = context }

  /// The model of a Core Data stack for the library's store.
  ///
  /// - Throws: What the schema's model cannot be made for.
  public static func makeModel() throws -> NSManagedObjectModel {
    let model = try NSManagedObjectModel.model(for: StoriesStore.schema)
    model.entitiesByName["Story"]?.managedObjectClassName = NSStringFromClass(ManagedStory.self)
    return model
  }

  /// A new story, which the next save adds.
  public func make(title: String, createdAt: Date) -> ManagedStory {
    let story = ManagedStory(context: context)
    story.id = UUID()
    story.title = title
    story.createdAt = createdAt
    // An enumeration of a model is a composite attribute, with one element of its name.
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
