internal import Foundation
public import OpenPredicates

/// A column of a fetch that an expression computes, or an element of an index.
///
/// Never a property of an entity.
///
/// > Reference: Apple, NSExpressionDescription.
open class NSExpressionDescription: NSPropertyDescription {
  /// The expression of the value.
  public var expression: OpenPredicates.NSExpression? { didSet { checkMutable() } }
  /// The type of the result.
  public var resultType: NSAttributeDescription.AttributeType = .undefined {
    didSet { checkMutable() }
  }

  /// The type of the result; an older spelling.
  public var expressionResultType: NSAttributeType {
    get { NSAttributeType(rawValue: resultType.rawValue) ?? .undefinedAttributeType }
    set { resultType = NSAttributeDescription.AttributeType(rawValue: newValue.rawValue) }
  }
}
