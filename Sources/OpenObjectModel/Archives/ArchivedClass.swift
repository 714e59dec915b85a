/// The ancestors of the classes that archives of models name.
enum ArchivedClass {
  /// Returns the names of a class and its ancestors, with the class first and `NSObject` last.
  static func lineage(of name: String) -> [String] {
    var lineage = [name]
    while let last = lineage.last, let parent = parents[last], !lineage.contains(parent) {
      lineage.append(parent)
    }
    return lineage + ["NSObject"]
  }

  /// The parents of classes that do not descend directly from `NSObject`.
  private static let parents: [String: String] = [
    "NSMutableString": "NSString", "NSMutableArray": "NSArray",
    "NSMutableDictionary": "NSDictionary", "NSMutableSet": "NSSet",
    "NSMutableOrderedSet": "NSOrderedSet", "NSMutableData": "NSData",
    "NSDecimalNumberPlaceholder": "NSDecimalNumber", "NSDecimalNumber": "NSNumber",
    "NSNumber": "NSValue",
    "NSKnownKeysDictionary1": "NSKnownKeysDictionary",
    "NSKnownKeysDictionary": "NSMutableDictionary",
    "NSKnownKeysMappingStrategy1": "NSKnownKeysMappingStrategy",
    "NSAttributeDescription": "NSPropertyDescription",
    "NSDerivedAttributeDescription": "NSAttributeDescription",
    "NSCompositeAttributeDescription": "NSAttributeDescription",
    "NSRelationshipDescription": "NSPropertyDescription",
    "NSFetchedPropertyDescription": "NSPropertyDescription",
    "NSExpressionDescription": "NSPropertyDescription",
    "NSFetchRequest": "NSPersistentStoreRequest",
    "NSComparisonPredicate": "NSPredicate", "NSCompoundPredicate": "NSPredicate",
    "NSTruePredicate": "NSPredicate", "NSFalsePredicate": "NSPredicate",
    "NSEqualityPredicateOperator": "NSPredicateOperator",
    "NSComparisonPredicateOperator": "NSPredicateOperator",
    "NSInPredicateOperator": "NSPredicateOperator",
    "NSBetweenPredicateOperator": "NSPredicateOperator",
    "NSStringPredicateOperator": "NSPredicateOperator",
    "NSSubstringPredicateOperator": "NSStringPredicateOperator",
    "NSMatchingPredicateOperator": "NSStringPredicateOperator",
    "NSLikePredicateOperator": "NSMatchingPredicateOperator",
    "NSConstantValueExpression": "NSExpression", "NSSelfExpression": "NSExpression",
    "NSVariableExpression": "NSExpression", "NSKeyPathSpecifierExpression": "NSExpression",
    "NSKeyPathExpression": "NSFunctionExpression", "NSFunctionExpression": "NSExpression",
    "NSAggregateExpression": "NSExpression", "NSSetExpression": "NSExpression",
    "NSSubqueryExpression": "NSExpression", "NSFetchRequestExpression": "NSExpression",
    "NSTernaryExpression": "NSExpression",
  ]
}
