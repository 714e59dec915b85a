import Foundation

/// The images of members, which the site itself serves: avatars, and pictures in profiles.
///
/// All other images are on a host that does not exist.
struct MemberImages {
  let state: SiteState

  /// The kinds of images, by the names of their folders.
  private enum Kind: String { case avatars, pictures }

  /// Returns the path of a member's avatar on the site.
  static func avatar(of userID: Int) -> String { path(.avatars, userID) }

  /// Returns the path of the picture in a member's profile on the site.
  static func picture(of userID: Int) -> String { path(.pictures, userID) }

  private static func path(_ kind: Kind, _ userID: Int) -> String {
    "/images/\(kind.rawValue)/\(userID).png"
  }

  /// Answers a request for an image; returns `nil` if the request is for something else, or if the member has no such image.
  func answer(to request: SiteRequest) -> SiteAnswer? {
    let parts = request.path.split(separator: "/")
    guard parts.count == 3, parts[0] == "images", let kind = Kind(rawValue: String(parts[1])),
      parts[2].hasSuffix(".png"), let user = Int(parts[2].dropLast(4)).flatMap({ state.user($0) }),
      kind == .avatars ? user.hasAvatar : SiteProfile(of: user).hasPicture
    else { return nil }
    return SiteAnswer(
      response: SiteResponse(
        headers: [SiteResponse.Header("Content-Type", "image/png")],
        body: kind == .avatars
          ? PNGFile.square(of: user.id, side: 32) : PNGFile.square(of: user.id, side: 120)))
  }
}
