internal import Foundation
internal import OpenStoreContract

/// The identity of a store's file, which is independent of paths and links.
struct StoreFileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64

  /// Creates the identity of a store's file; nil if the store has no file or the file does not
  /// exist.
  init?(_ type: String, _ url: URL?) {
    guard let url, url.isFileURL, !url.isInMemory,
      // An unknown type is reported by opening it.
      (try? StoreTypes.opener(of: type).files) != nil,
      let attributes = try? FileManager.default.attributesOfItem(
        atPath: url.resolvingSymlinksInPath().path),  // often missing
      let device = attributes[.systemNumber] as? NSNumber,
      let number = attributes[.systemFileNumber] as? NSNumber
    else { return nil }
    self.device = device.uint64Value
    self.number = number.uint64Value
  }
}
