public import Foundation

/// A user of the app, with public data and with data that only the user can see.
///
/// Other users see only the name and the photo.
public struct User: Codable, Hashable, Sendable, Identifiable {
  /// The user's id on the server.
  public let id: String
  /// The name that other users see.
  public var displayName: String
  /// Whether the server generated the name because no name was given.
  ///
  /// If the name was generated, an app should ask the user for one.
  public var asksForName: Bool
  /// The URL of the user's photo.
  public var photoURL: URL?
  /// Whether the account exists only on this device, without an identity provider.
  public var isAnonymous: Bool
  /// The name of the time zone in which the user's notifications show times.
  public var timeZone: String?
  /// The account's version, which increases with each change.
  public let version: Int64
  /// The time of the user's first sign-in.
  public let createdAt: Date

  /// Creates a user.
  public init(
    id: String, displayName: String, asksForName: Bool = false, photoURL: URL? = nil,
    isAnonymous: Bool = false, timeZone: String? = nil, version: Int64 = 1, createdAt: Date
  ) {
    self.id = id
    self.displayName = displayName
    self.asksForName = asksForName
    self.photoURL = photoURL
    self.isAnonymous = isAnonymous
    self.timeZone = timeZone
    self.version = version
    self.createdAt = createdAt
  }

  /// Decodes a user.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    id = try fields.id(.id)
    displayName = try fields.decode(String.self, forKey: .displayName)
    asksForName = try fields.decode(Bool.self, forKey: .asksForName)
    photoURL = try fields.decodeIfPresent(URL.self, forKey: .photoURL)
    isAnonymous = try fields.decode(Bool.self, forKey: .isAnonymous)
    timeZone = try fields.timeZoneIfPresent(.timeZone)
    version = try fields.count(.version)
    createdAt = try fields.decode(Date.self, forKey: .createdAt)
  }

  /// Up to two letters that are shown if the photo is missing.
  public var initials: String { Initials.of(displayName) }

  /// Whether an app should offer to link the account to an identity provider.
  ///
  /// If a device is lost, an anonymous account on it is also lost.
  public var shouldLinkAccount: Bool { isAnonymous }

  /// Returns whether this version of the user replaces another version of the same user.
  public func replaces(_ other: User?) -> Bool { other.map { version > $0.version } ?? true }
}

/// Computes the initials of a name.
enum Initials {
  /// Returns the first letters of the first and the last word in upper case.
  ///
  /// If the name has no letters, the result is an empty string.
  static func of(_ name: String) -> String {
    let letters = name.split(whereSeparator: \.isWhitespace).compactMap {
      $0.first(where: \.isLetter)
    }
    guard let first = letters.first else { return "" }
    guard letters.count > 1, let last = letters.last else { return first.uppercased() }
    return first.uppercased() + last.uppercased()
  }
}
