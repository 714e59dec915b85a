import CoreData
import OpenTestSupport
import XCTest

extension Bundle {
  static var module: Bundle { .main }
}
