public import Foundation
public import class OpenPredicates.NSExpression

/// A mapping that determines the value of one property of a destination entity.
///
/// > Concurrency: Use a mapping on one thread at a time.
/// > Reference: Apple, NSPropertyMapping.
open class NSPropertyMapping: NSObject {
  /// The name of the property in the destination entity; nil until you set the name.
  open var name: String?
  /// The expression that yields the value; nil to keep the default value of an attribute, or to
  /// leave a relationship empty.
  ///
  /// The expression may use the variables `$source`, `$destination`, `$manager`, `$entityMapping`,
  /// `$propertyMapping` and `$entityPolicy`.
  open var valueExpression: NSExpression?
  /// Application-defined information about the mapping; nil by default.
  open var userInfo: [AnyHashable: Any]?

  /// Creates a mapping without a name.
  public override init() { super.init() }

  /// Creates a mapping for a property.
  convenience init(_ name: String, _ valueExpression: NSExpression?) {
    self.init()
    self.name = name
    self.valueExpression = valueExpression
  }
}
