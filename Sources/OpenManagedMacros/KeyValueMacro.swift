internal import OpenPredicates

/// Makes the properties of a class or structure readable by name, so that you can apply predicates
/// and sort descriptors to instances in memory.
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
/// The macro adds a conformance to ``KeyValueReadable``. The stored and computed properties in the
/// body of the type become readable. The macro excludes static properties, properties that are
/// isolated to an actor, and properties whose getter throws, is asynchronous or mutates the
/// instance. The macro also excludes properties in extensions, unless the build plug-in
/// `ModelCodegen` adds them.
///
/// A subclass inherits the readable properties of its superclass. To make the properties that the
/// subclass declares readable, apply the macro to the subclass too. You can create a sort
/// descriptor with a key path of readable properties. For example, the key of
/// `NSSortDescriptor(keyPath: \Song.album?.title, ascending: true)` is "album.title". In a subclass
/// of `NSManagedObject`, only properties that are not in the model need the macro.
///
/// On Apple platforms, key-value coding of the Objective-C runtime replaces this macro.
///
/// This is an addition to Apple's API.
@attached(
  member, conformances: KeyValueReadable, __KeyPathListing,
  names: named(readableValue), named(__keyPaths))
@attached(extension, conformances: KeyValueReadable, __KeyPathListing)
public macro ReadableByKey() = #externalMacro(module: "OpenMacros", type: "ReadableByKeyMacro")
