import CoreData
import XCTest

/// In a file that imports this module alone, an expression needs no qualification.
final class ExpressionTests: XCTestCase {
  func testExpressionsAreThoseOfThisLibrary() {
    let expression = NSExpression(forKeyPath: "author.name")
    XCTAssertEqual(expression.keyPath, "author.name")
    let attribute = NSDerivedAttributeDescription()
    attribute.derivationExpression = NSExpression(format: "canonical:(title)")
    XCTAssertEqual(attribute.derivationExpression?.function, "canonical:")
    XCTAssertEqual(NSExpression(format: "1 +").constantValue as? Int, nil)
  }
}
