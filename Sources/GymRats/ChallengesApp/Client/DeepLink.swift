public import Challenges
public import Foundation
import ProductKit

/// A link that opens the app.
public struct DeepLink: Hashable, Sendable {
  /// The app screen that a link opens.
  public enum Destination: Hashable, Sendable {
    /// The preview of a group to which the user is invited.
    case groupInvite(InviteCode)
  }

  /// The reason why a link cannot be opened.
  ///
  /// Only a link's sender can correct it, so an app shows the reason to the user.
  public enum Failure: String, Error, CaseIterable, Codable, Hashable, Sendable {
    /// The link is longer than the maximum length.
    case tooLong
    /// The scheme is neither the app's own scheme nor https.
    case unknownScheme
    /// The link's host is not the app's host, or the link contains a port or a user name.
    case unknownHost
    /// The link has the app's host, but the path is not one of the app's pages.
    case unknownPath
    /// The link is an invite whose code is not valid.
    case invalidCode
  }

  /// The maximum length of a link in bytes.
  public static let longest = 2_048
  /// The app's own scheme.
  public static let scheme = "fittoday"
  /// The website whose links open the app.
  public static let host = "fittoday.app"

  /// The app screen that the link opens.
  public let destination: Destination

  /// Creates a link to an app screen.
  public init(to destination: Destination) { self.destination = destination }

  /// Parses a link, or returns nil if it cannot be opened.
  public init?(url: URL) {
    guard let link = try? Self.parse(url.absoluteString) else { return nil }
    self = link
  }

  /// Parses a link.
  ///
  /// The parser does not use `URL`, because `URL` accepts different strings on different systems
  /// and releases. A malformed string that `URL` would correct is rejected. The parser ignores a
  /// query, a fragment and one trailing slash, because messaging apps may add a query or a
  /// fragment.
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

  /// The link with the app's own scheme, which only the app can open.
  public var text: String { "\(Self.scheme)://\(path)" }

  /// The link to share, which opens the app or, if it is not installed, the website.
  public var universalText: String { "https://\(Self.host)/\(path)" }

  /// The `text` as a URL.
  ///
  /// A code contains only characters that are valid in a URL.
  public var url: URL? { URL(string: text) }

  /// The `universalText` as a URL.
  public var universalURL: URL? { URL(string: universalText) }
}

/// The JSON document that the website must serve at `/.well-known/apple-app-site-association`.
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

  /// Returns the document for apps with the given ids, each in the form `TEAM.bundle.id`.
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
