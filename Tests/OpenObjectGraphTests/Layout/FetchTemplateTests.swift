import Foundation
import OpenCoreData
import Testing

/// Named fetch requests of a model.
@Suite("Fetch request templates")
struct FetchTemplateTests {
  private func model() -> NSManagedObjectModel {
    let model = AlbumModel.makePlain()
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Song")
    request.predicate = NSPredicate(format: "length >= $LENGTH AND title != nil")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
    request.fetchLimit = 2
    model.setFetchRequestTemplate(request, forName: "long")
    return model
  }

  @Test("variables are replaced, and the request finds the matching objects")
  func substitution() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
    try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      for (title, length) in [("a", 10), ("b", 20), ("c", 30), ("d", 40)] {
        _ = AlbumModel.insert("Song", ["title": title, "length": length], in: context)
      }
      try context.save()
      let request = try #require(
        coordinator.managedObjectModel.fetchRequestFromTemplate(
          withName: "long", substitutionVariables: ["LENGTH": 15]))
      let songs = try context.fetch(request).compactMap { $0 as? NSManagedObject }
      #expect(songs.map { $0.value(forKey: "title") as? String } == ["d", "c"])
      let incomplete = try #require(
        coordinator.managedObjectModel.fetchRequestFromTemplate(
          withName: "long", substitutionVariables: [:]))
      #expect(throws: CocoaError.self) { try context.fetch(incomplete) }
    }
  }

  @Test("a returned template is a copy, and changing it changes nothing")
  func copies() throws {
    let model = model()
    model.fetchRequestTemplate(forName: "long")?.fetchLimit = 7
    #expect(model.fetchRequestTemplate(forName: "long")?.fetchLimit == 2)
    #expect(model.fetchRequestTemplatesByName.keys.sorted() == ["long"])
    #expect(model.fetchRequestTemplate(forName: "short") == nil)
    #expect(
      model.fetchRequestFromTemplate(withName: "short", substitutionVariables: [:]) == nil)
    model.setFetchRequestTemplate(nil, forName: "long")
    #expect(model.fetchRequestTemplatesByName.isEmpty)
  }

  @Test("a template keeps its sort comparisons and all other settings of the request")
  func wholeRequests() throws {
    let model = model()
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Song")
    request.sortDescriptors = [
      NSSortDescriptor(key: "title", ascending: true, comparison: .caseInsensitive)
    ]
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["title"]
    request.propertiesToGroupBy = ["title"]
    request.havingPredicate = NSPredicate(format: "title != nil")
    request.relationshipKeyPathsForPrefetching = ["album"]
    request.shouldRefreshRefetchedObjects = true
    request.allowsEvaluationInMemory = false
    model.setFetchRequestTemplate(request, forName: "titles")
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    let template = try #require(copy.fetchRequestTemplate(forName: "titles"))
    #expect(template.sortDescriptors?.map(\.selectorName) == ["caseInsensitiveCompare:"])
    #expect(template.propertiesToFetch as? [String] == ["title"])
    #expect(template.propertiesToGroupBy as? [String] == ["title"])
    #expect(template.havingPredicate?.canonicalFormat == "title != nil")
    #expect(template.relationshipKeyPathsForPrefetching == ["album"])
    #expect(template.shouldRefreshRefetchedObjects)
    #expect(!template.allowsEvaluationInMemory)
    #expect(template.entityName == "Song")
  }

  @Test("a fetched property has its request")
  func fetchedProperty() {
    let property = NSFetchedPropertyDescription()
    #expect(property.fetchRequest == nil)
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Song")
    request.predicate = NSPredicate(format: "album == $FETCH_SOURCE")
    property.fetchRequest = request
    #expect(property.fetchRequest?.entityName == "Song")
    #expect(property.fetchRequest?.predicate?.canonicalFormat == "album == $FETCH_SOURCE")
  }
}
