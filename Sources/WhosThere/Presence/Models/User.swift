public import Foundation

/// A user of the app, as they see themselves; other users see only name and picture.
public struct User: Codable, Hashable, Sendable, Identifiable {
  /// What the server calls them.
  public let id: String
  /// What others read.
  public var displayName: String
  /// Whether the name was made up, because none was given: an app then asks for a name.
  public var asksForName: Bool
  /// Their picture.
  public var photoURL: URL?
  /// Whether the account is known only to this device, without an identity provider.
  public var isAnonymous: Bool
  /// The name of the time zone in which notifications for them give times.
  public var timeZone: String?
  /// Higher with each change.
  public let version: Int64
  /// When they came for the first time.
  public let createdAt: Date

  /// A user.
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

  /// Reads a user.
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

  /// Up to two letters, shown if the picture is missing.
  public var initials: String { Initials.of(displayName) }

  /// Whether an app should offer to link an account: what only this device knows is lost with it.
  public var shouldLinkAccount: Bool { isAnonymous }

  /// Whether it takes the place of another state of the same user.
  public func replaces(_ other: User?) -> Bool { other.map { version > $0.version } ?? true }
}

/// Letters that stand for a name.
enum Initials {
  /// The first letters of the first and of the last word, as capitals; empty without letters.
  static func of(_ name: String) -> String {
    let letters = name.split(whereSeparator: \.isWhitespace).compactMap {
      $0.first(where: \.isLetter)
    }
    guard let first = letters.first else { return "" }
    guard letters.count > 1, let last = letters.last else { return first.uppercased() }
    return first.uppercased() + last.uppercased()
  }
}
