import CoreData
import SampleSupport

@MainActor let container = sampleContainer(sampleModel(["Note": [.attribute("text")]]))
@MainActor let context = container.viewContext
@MainActor let coordinator = container.persistentStoreCoordinator

func mergeHistory(into context: NSManagedObjectContext) throws {}
