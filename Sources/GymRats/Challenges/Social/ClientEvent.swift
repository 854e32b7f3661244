public import Foundation
import SHA256

/// Something that happened on a phone and that the server cannot see.
///
/// It names no user and no group: the server knows the user from the call.
public struct ClientEvent: Codable, Hashable, Sendable, Identifiable {
  /// What happened.
  public enum Kind: Codable, Hashable, Sendable {
    /// A change was refused for good, or given up.
    case writeFailed
    /// A link led nowhere.
    case linkFailed
    /// A board was fetched, in so many milliseconds.
    case boardFetched(milliseconds: Int)
  }

  /// The event's id: a repeated report with the same id counts once.
  public let id: UUID
  /// What happened.
  public let kind: Kind

  /// The longest time that a fetch is reported with, in milliseconds: ten minutes.
  public static let longestFetch = 600_000

  /// An event; without an argument it gets a new random id.
  public init(_ kind: Kind, id: UUID = UUID()) {
    self.id = id
    self.kind = kind
  }

  /// A fetch that took so long; a longer time than can be reported counts as the longest.
  public static func boardFetched(in time: Duration, id: UUID = UUID()) -> ClientEvent {
    let (seconds, attoseconds) = time.components
    let whole = max(0, min(seconds, Int64(longestFetch / 1_000)))
    let milliseconds = Int(whole) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    return ClientEvent(.boardFetched(milliseconds: max(0, min(milliseconds, longestFetch))), id: id)
  }
}

/// The share of users for whom a beta is on.
public struct BetaShare: Hashable, Sendable {
  /// In percent, 0 to 100.
  public let percent: Int

  /// A share; nil outside of 0 to 100.
  public init?(percent: Int) {
    guard 0...100 ~= percent else { return nil }
    self.percent = percent
  }

  /// Whether a user belongs to the share.
  ///
  /// A hash of the user's id decides, and no release changes it: the first 24 bits of a SHA-256 are the user's place,
  /// and the share is what lies below it. If the share grows, all users of the smaller share stay in it.
  public func contains(_ userId: String) -> Bool {
    let hash = SHA256Digest.bytes(of: "beta/\(userId)".utf8)
    let place = Int64(hash[0]) << 16 | Int64(hash[1]) << 8 | Int64(hash[2])
    return place * 100 < Int64(percent) << 24
  }
}
