public import Foundation
import SHA256

/// An event that happened on a phone and that the server cannot observe.
///
/// An event contains neither a user id nor a group id. The server gets the user's id from the call
/// that reports the event.
public struct ClientEvent: Codable, Hashable, Sendable, Identifiable {
  /// The kind of an event.
  public enum Kind: Codable, Hashable, Sendable {
    /// The phone discarded a change, because the server rejected it permanently or too many
    /// attempts failed.
    case writeFailed
    /// A link could not be opened.
    case linkFailed
    /// A board was fetched in the given number of milliseconds.
    case boardFetched(milliseconds: Int)
  }

  /// The event's id.
  ///
  /// Repeated reports with the same id are counted once.
  public let id: UUID
  /// The event's kind.
  public let kind: Kind

  /// The longest fetch time that an event can report: ten minutes, in milliseconds.
  public static let longestFetch = 600_000

  /// Creates an event, by default with a new random id.
  public init(_ kind: Kind, id: UUID = UUID()) {
    self.id = id
    self.kind = kind
  }

  /// Creates an event for a fetch that took the given time.
  ///
  /// A time longer than `longestFetch` is reported as `longestFetch`.
  public static func boardFetched(in time: Duration, id: UUID = UUID()) -> ClientEvent {
    let (seconds, attoseconds) = time.components
    let whole = max(0, min(seconds, Int64(longestFetch / 1_000)))
    let milliseconds = Int(whole) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    return ClientEvent(.boardFetched(milliseconds: max(0, min(milliseconds, longestFetch))), id: id)
  }
}

/// The share of users for whom beta features are enabled.
public struct BetaShare: Hashable, Sendable {
  /// The percentage, from 0 to 100.
  public let percent: Int

  /// Creates a share, or returns nil if the percentage is not from 0 to 100.
  public init?(percent: Int) {
    guard 0...100 ~= percent else { return nil }
    self.percent = percent
  }

  /// Returns whether beta features are enabled for a user with the given id.
  ///
  /// The first 24 bits of a SHA-256 hash map the user's id to a percentage below 100. Beta features
  /// are enabled if the user's percentage is below ``percent``. All releases use the same hash, so
  /// a user keeps the beta features when ``percent`` increases.
  public func contains(_ userId: String) -> Bool {
    let hash = SHA256Digest.bytes(of: "beta/\(userId)".utf8)
    let place = Int64(hash[0]) << 16 | Int64(hash[1]) << 8 | Int64(hash[2])
    return place * 100 < Int64(percent) << 24
  }
}
