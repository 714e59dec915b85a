import CoreData

/// A class whose name another module of the tests has as well; see its tests of class names.
@ManagedObject
final class SharedNameItem: NSManagedObject {}
