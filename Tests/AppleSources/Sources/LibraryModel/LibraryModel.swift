import CoreData

/// The model of the library, which the plug-in compiles into the resources of this module.
public enum LibraryModel {
  /// Where the module's resources are.
  public static var bundle: Bundle { .module }

  /// The model; nil when the resource is missing.
  public static var model: NSManagedObjectModel? {
    Bundle.module.url(forResource: "Library", withExtension: "momd")
      .flatMap { NSManagedObjectModel(contentsOf: $0) }
  }
}
