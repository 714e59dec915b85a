import Foundation
import SampleSupport
import SwiftData

let url = sampleFolder.appendingPathComponent("Bank.store")
