import CoreData
import SampleSupport
import Testing

@MainActor let context = sampleContainer(sampleModel(["Note": [.attribute("text")]])).viewContext

func showPage() throws {}
