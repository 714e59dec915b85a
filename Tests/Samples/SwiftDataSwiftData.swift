import Foundation
import SwiftData
