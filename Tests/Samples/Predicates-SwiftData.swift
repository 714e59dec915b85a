import Foundation
import SampleSupport
import SwiftData

@Model
final class Trip {
  var isPlanned = false
  var city = ""

  init() {}
}

let city: String? = "Rome"
