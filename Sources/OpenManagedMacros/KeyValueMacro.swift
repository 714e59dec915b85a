internal import OpenPredicates

/// Makes the properties of a class or structure readable by name, so that predicates and sort
/// descriptors can be evaluated with the instances in memory.
///
/// ```swift
/// @ReadableByKey
/// final class Song: NSObject {
///   let title: String
///   var album: Album?
/// }
///
/// NSPredicate(format: "album.year > 1990").evaluate(with: song)
/// ```
///
/// The type conforms to ``KeyValueReadable``. The macro makes the stored and computed properties in
/// the declaration itself readable. The macro excludes properties in extensions, static properties,
/// and properties whose getter throws, is asynchronous or mutates the instance.
///
/// A subclass inherits the readable properties of its superclass, and needs the macro for the
/// properties that it declares. A sort descriptor can be created with a key path of readable
/// properties. For example, the key of
/// `NSSortDescriptor(keyPath: \Song.album?.title, ascending: true)` is "album.title". In a subclass
/// of `NSManagedObject`, only properties that are not in the model need the macro.
///
/// On Apple platforms, the Objective-C runtime provides key-value coding instead. This is an
/// addition to Apple's API.
@attached(
  member, conformances: KeyValueReadable, __KeyPathListing,
  names: named(readableValue), named(__keyPaths))
@attached(extension, conformances: KeyValueReadable, __KeyPathListing)
public macro ReadableByKey() = #externalMacro(module: "OpenMacros", type: "ReadableByKeyMacro")
