import CoreData

/// A class with the same name as a class in another test module; see its tests of class names.
@ManagedObject
final class SharedNameItem: NSManagedObject {}
