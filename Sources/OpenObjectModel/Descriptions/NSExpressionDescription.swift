internal import Foundation
public import OpenPredicates

/// A description of an expression that a fetch computes, or that a fetch index contains.
///
/// An expression description is never a property of an entity.
///
/// > Concurrency: Confined to one thread until the model is used; afterward, any thread may read
/// > the description.
/// > Reference: Apple, NSExpressionDescription.
open class NSExpressionDescription: NSPropertyDescription {
  /// The expression that computes the value; nil until you set an expression.
  public var expression: OpenPredicates.NSExpression? { didSet { checkMutable() } }
  /// The type of the expression's value; `.undefined` by default.
  public var resultType: NSAttributeDescription.AttributeType = .undefined {
    didSet { checkMutable() }
  }

  /// The type of the expression's value, as an `NSAttributeType`; equivalent to ``resultType``.
  public var expressionResultType: NSAttributeType {
    get { NSAttributeType(rawValue: resultType.rawValue) ?? .undefinedAttributeType }
    set { resultType = NSAttributeDescription.AttributeType(rawValue: newValue.rawValue) }
  }
}
