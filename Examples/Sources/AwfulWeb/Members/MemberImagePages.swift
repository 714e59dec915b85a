import AwfulCore
import CoreData
import Foundation
import StoreSharing
import WebPages

/// The members' avatars and the pictures in their profiles. The program fetches them, so that browsers request them only from the program.
struct MemberImagePages: Sendable {
  let store: StoreFeed
  let pictures: MemberPictures

  /// Returns the path of a member's avatar. A changed avatar has another path.
  ///
  /// - Parameters:
  ///   - userID: The id of the member.
  ///   - address: The address of the avatar on the site.
  static func avatar(of userID: String, at address: String) -> String {
    "/avatars/\(PagePath.part(userID))?v=\(fingerprint(address))"
  }

  /// Returns the path of the picture in a member's profile. A changed picture has another path.
  ///
  /// - Parameters:
  ///   - userID: The id of the member.
  ///   - address: The address of the picture on the site.
  static func picture(of userID: String, at address: String) -> String {
    "/pictures/\(PagePath.part(userID))?v=\(fingerprint(address))"
  }

  private static func fingerprint(_ address: String) -> String {
    String(address.utf8.reduce(UInt64(5381)) { ($0 &* 33) &+ UInt64($1) }, radix: 36)
  }

  /// Answers a request for one of these images. Returns `nil` for any other request.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    let path = request.path
    switch (request.method, path.first, path.count) {
    case (.get, "avatars", 2): return try await avatar(of: path[1])
    case (.get, "pictures", 2): return try await picture(of: path[1])
    default: return nil
    }
  }

  /// Returns the avatar of a member, or a replacement if it is not available.
  private func avatar(of id: String) async throws -> WebAnswer {
    let member = try await store.read { context in
      try context.fetch(User.request(id: id)).first.map {
        (name: $0.username ?? "", title: $0.customTitleHTML ?? "")
      }
    }
    guard let member else { return PageParts.missing("member") }
    return await image(AuthorTitle(member.title).avatar, name: member.name)
  }

  /// Returns the picture in a member's profile, or a replacement if it is not available.
  private func picture(of id: String) async throws -> WebAnswer {
    let member = try await store.read { context in
      try context.fetch(User.request(id: id)).first.map {
        (name: $0.username ?? "", address: $0.profile?.profilePictureURL?.absoluteString)
      }
    }
    guard let member else { return PageParts.missing("member") }
    return await image(member.address, name: member.name)
  }

  private func image(_ address: String?, name: String) async -> WebAnswer {
    if let address, let picture = await pictures.picture(at: address) {
      return .file(picture.data, contentType: picture.contentType)
    }
    return .file(Data(Self.replacement(name).utf8), contentType: "image/svg+xml")
  }

  /// Returns a square with the first letter of a name.
  private static func replacement(_ name: String) -> String {
    let letter = Markup(name.first { $0.isLetter || $0.isNumber }.map(String.init) ?? "?").source
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" rx="6" fill="#666"/>\
      <text x="24" y="33" font-size="26" font-family="sans-serif" text-anchor="middle" fill="#fff">\
      \(letter)</text></svg>
      """
  }
}
