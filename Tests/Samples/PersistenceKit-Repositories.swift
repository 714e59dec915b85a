import Foundation
import OpenPersistenceKit
import SampleSupport
import SwiftData

@Model
final class Story {
  var title: String

  init(title: String) { self.title = title }
}
