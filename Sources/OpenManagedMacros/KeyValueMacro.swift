internal import OpenPredicates

/// Makes the properties of a class or structure readable by name, so that predicates and sort descriptors
/// work on its instances in memory.
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
/// The type conforms to ``KeyValueReadable``. Readable are the stored and computed properties in the
/// declaration itself; those in extensions, static ones, and getters that throw, wait or change the instance are
/// not. A subclass of such a class needs the attribute for its own properties and has those of the superclass
/// too. Key paths over such properties have names: `NSSortDescriptor(keyPath: \Song.album?.title, ascending: true).key` is
/// "album.title". On a managed class it adds the class's own properties to those of the model, which need nothing of it.
///
/// An addition; replaces key-value coding of the Objective-C runtime.
@attached(
  member, conformances: KeyValueReadable, __KeyPathListing,
  names: named(readableValue), named(__keyPaths))
@attached(extension, conformances: KeyValueReadable, __KeyPathListing)
public macro ReadableByKey() = #externalMacro(module: "OpenMacros", type: "ReadableByKeyMacro")
