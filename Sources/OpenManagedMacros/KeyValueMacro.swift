internal import OpenPredicates

/// Makes the properties of a class or structure readable by name, so that predicates and sort
/// descriptors can evaluate its instances in memory.
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
/// The type conforms to ``KeyValueReadable``. The macro makes stored and computed properties in the
/// declaration itself readable. It excludes properties in extensions, static properties, and
/// properties whose getter throws, is asynchronous or mutates the instance.
///
/// A subclass of such a class needs the attribute for its own properties and inherits the readable
/// properties of its superclass. Key paths to readable properties have names: the key of
/// `NSSortDescriptor(keyPath: \Song.album?.title, ascending: true)` is "album.title". On a managed
/// class, the macro adds the class's own properties. The properties of the model do not need the
/// macro.
///
/// The macro replaces key-value coding of the Objective-C runtime. This is an addition to Apple's
/// API.
@attached(
  member, conformances: KeyValueReadable, __KeyPathListing,
  names: named(readableValue), named(__keyPaths))
@attached(extension, conformances: KeyValueReadable, __KeyPathListing)
public macro ReadableByKey() = #externalMacro(module: "OpenMacros", type: "ReadableByKeyMacro")
