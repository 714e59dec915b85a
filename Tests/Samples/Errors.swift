import CoreData
import OpenStoreContract
import SampleSupport

@MainActor let context = sampleContainer(sampleModel(["Note": [.attribute("text")]])).viewContext
