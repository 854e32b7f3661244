public import Challenges
public import Foundation
import ProductKit

/// Where a link leads that opens the app.
public struct DeepLink: Hashable, Sendable {
  /// A place in the app.
  public enum Destination: Hashable, Sendable {
    /// Into a group.
    case groupInvite(InviteCode)
  }

  /// Why a link cannot be opened; apps report it, because a wrong link is a mistake of its sender.
  public enum Failure: String, Error, CaseIterable, Codable, Hashable, Sendable {
    /// Longer than any link of ours.
    case tooLong
    /// Neither our scheme nor https.
    case unknownScheme
    /// Of another site, or with a port or a user.
    case unknownHost
    /// Of our site, but nothing that the app shows.
    case unknownPath
    /// Into a group, with something that cannot be a code.
    case invalidCode
  }

  /// The longest link, in bytes.
  public static let longest = 2_048
  /// The app's own scheme.
  public static let scheme = "fittoday"
  /// The site whose links open the app.
  public static let host = "fittoday.app"

  /// Where it leads.
  public let destination: Destination

  /// A link to a place.
  public init(to destination: Destination) { self.destination = destination }

  /// Reads a link; nil where it leads nowhere.
  public init?(url: URL) {
    guard let link = try? Self.parse(url.absoluteString) else { return nil }
    self = link
  }

  /// Reads a link.
  ///
  /// The parser is written by hand, because `URL` accepts different texts on different systems and releases. A text
  /// that `URL` would have to correct is not one of our links. Messengers add queries and fragments; those are
  /// ignored, and so is one slash at the end.
  public static func parse(_ text: String) throws(Failure) -> DeepLink {
    let bytes = Array(text.utf8)
    guard bytes.count <= longest else { throw .tooLong }
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      bytes[colon...].starts(with: "://".utf8)
    else { throw .unknownScheme }
    var path = bytes[(colon + 3)...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    switch lowercased(bytes[..<colon]) {
    case Array(scheme.utf8): break
    case Array("https".utf8):
      let site = path.prefix { $0 != UInt8(ascii: "/") }
      guard lowercased(site) == Array(host.utf8) else { throw .unknownHost }
      path = path.dropFirst(site.count + 1)
    default: throw .unknownScheme
    }
    let prefix = Array("group/invite/".utf8)
    guard path.starts(with: prefix) else { throw .unknownPath }
    var rest = path.dropFirst(prefix.count)
    if rest.last == UInt8(ascii: "/") { rest.removeLast() }
    guard let code = InviteCode(String(decoding: rest, as: UTF8.self)) else { throw .invalidCode }
    return DeepLink(to: .groupInvite(code))
  }

  private static func lowercased(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 + 32 : $0 }
  }

  private var path: String {
    switch destination {
    case .groupInvite(let code): "group/invite/\(code)"
    }
  }

  /// The link that only the app opens.
  public var text: String { "\(Self.scheme)://\(path)" }

  /// The link to share: it opens the app, or the website if the app is not installed.
  public var universalText: String { "https://\(Self.host)/\(path)" }

  /// `text` as a URL; a code holds nothing that a URL cannot.
  public var url: URL? { URL(string: text) }

  /// `universalText` as a URL.
  public var universalURL: URL? { URL(string: universalText) }
}

/// What the site serves at `/.well-known/apple-app-site-association`, as `application/json`.
public enum AppSiteAssociation {
  private struct Body: Codable {
    struct Links: Codable { let details: [Detail] }
    struct Detail: Codable {
      let appIDs: [String]
      let components: [Component]
    }
    struct Component: Codable {
      let path: String
      let comment: String
      enum CodingKeys: String, CodingKey {
        case path = "/"
        case comment
      }
    }
    let applinks: Links
  }

  /// The body for apps, each named `TEAM.bundle.id`.
  public static func body(appIDs: [String]) throws -> Data {
    try WireFormat.data(
      of: Body(
        applinks: .init(details: [
          .init(
            appIDs: appIDs,
            components: [.init(path: "/group/invite/*", comment: "An invite into a group.")])
        ])))
  }
}
