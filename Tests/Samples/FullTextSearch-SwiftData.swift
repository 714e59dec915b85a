import Foundation
import SampleSupport
import SwiftData
