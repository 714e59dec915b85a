import CoreData
import OpenTestSupport
import SampleSupport

@MainActor let model = sampleModel(["Note": [.attribute("title")]])
