import CoreData
import SampleSupport

extension Bundle {
  static var module: Bundle { .main }
}

let url = sampleFolder.appendingPathComponent("V1toV2.cdm")
@MainActor let old = sampleModel([:])
@MainActor let new = sampleModel([:])
