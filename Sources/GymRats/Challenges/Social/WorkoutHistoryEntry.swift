public import Foundation

/// A completed workout, as the phone sends it to the server.
///
/// The workout contains the time of completion, but no other details.
public struct WorkoutHistoryEntry: Codable, Hashable, Sendable, Identifiable {
  /// The workout's id.
  ///
  /// The server uses the workout's id and the user's id together as the idempotency key.
  public let id: String
  /// The time of completion, or nil for the time when the server receives the workout.
  public var performedAt: Date?
  /// The UTC offset of the phone's clock at completion, in seconds east of UTC, or nil for the time
  /// zone in the user's profile.
  public var utcOffsetSeconds: Int?
  /// The workout's revision, which increases with each edit.
  public var revision: Int

  /// Creates a workout.
  public init(id: String, performedAt: Date?, utcOffsetSeconds: Int? = nil, revision: Int = 0) {
    self.id = id
    self.performedAt = performedAt
    self.utcOffsetSeconds = utcOffsetSeconds
    self.revision = revision
  }

  /// Creates a workout that was completed in a time zone.
  public init(id: String, performedAt: Date, in zone: TimeZone, revision: Int = 0) {
    self.init(
      id: id, performedAt: performedAt, utcOffsetSeconds: zone.secondsFromGMT(for: performedAt),
      revision: revision)
  }
}

/// The server's decision about a workout.
///
/// Every outcome is final, so a client that receives an outcome does not repeat the call. Only a
/// call that throws an error may be repeated.
public enum WorkoutOutcome: Hashable, Sendable {
  /// The workout is counted.
  case accepted
  /// The server already stores a newer revision of the workout.
  case duplicate
  /// The workout is stored but not counted, for the given reason.
  case notCounted(reason: String)
  /// The user does not share workouts, so the server stores nothing.
  case ignoredPrivacy
  /// The user is not in a group.
  case noActiveGroup
  /// The board of the workout's week was already closed, but the workout counts for streaks on
  /// later boards.
  case acceptedLate
  /// The workout is so old that the server can no longer determine whether it was already counted.
  case expired
  /// The workout is rejected, for the given reason.
  case rejected(reason: String)
}

extension WorkoutOutcome {
  /// The outcome's name in the server's response.
  public var name: String {
    switch self {
    case .accepted: "accepted"
    case .duplicate: "duplicate"
    case .notCounted: "notCounted"
    case .ignoredPrivacy: "ignoredPrivacy"
    case .noActiveGroup: "noActiveGroup"
    case .acceptedLate: "acceptedLate"
    case .expired: "expired"
    case .rejected: "rejected"
    }
  }

  /// The reason for the outcome, or nil if this kind of outcome has no reason.
  ///
  /// The type is `String`, because a newer server may send reasons that the app does not know.
  public var reason: String? {
    switch self {
    case .notCounted(let reason), .rejected(let reason): reason
    default: nil
    }
  }

  /// Creates the outcome with the given name.
  ///
  /// The result is nil if the name is unknown, if a required reason is missing, or if the outcome
  /// cannot have a reason.
  public init?(name: String, reason: String?) {
    switch (name, reason) {
    case ("accepted", nil): self = .accepted
    case ("duplicate", nil): self = .duplicate
    case ("notCounted", let reason?): self = .notCounted(reason: reason)
    case ("ignoredPrivacy", nil): self = .ignoredPrivacy
    case ("noActiveGroup", nil): self = .noActiveGroup
    case ("acceptedLate", nil): self = .acceptedLate
    case ("expired", nil): self = .expired
    case ("rejected", let reason?): self = .rejected(reason: reason)
    default: return nil
    }
  }
}

/// The server's response to a workout.
public struct WorkoutAnswer: Codable, Hashable, Sendable {
  /// The server's decision about the workout.
  public let outcome: WorkoutOutcome
  /// The workout's week, or nil if the server stores nothing.
  public let week: Week?
  /// Whether the server has already received the same call.
  ///
  /// A repeated call returns the first call's response and changes nothing.
  public let isReplayed: Bool

  /// Creates a response.
  public init(outcome: WorkoutOutcome, week: Week?, isReplayed: Bool) {
    self.outcome = outcome
    self.week = week
    self.isReplayed = isReplayed
  }

  private enum CodingKeys: String, CodingKey { case outcome, reason, weekStart, isReplayed }

  /// Decodes a response.
  ///
  /// - Throws: `DecodingError` if the outcome is unknown.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let name = try fields.decode(String.self, forKey: .outcome)
    let reason = try fields.decodeIfPresent(String.self, forKey: .reason)
    guard let outcome = WorkoutOutcome(name: name, reason: reason) else {
      throw DecodingError.dataCorruptedError(
        forKey: .outcome, in: fields, debugDescription: "no outcome of this name and reason")
    }
    let week = try fields.decodeIfPresent(String.self, forKey: .weekStart).map { text in
      guard let week = Week(monday: text) else {
        throw DecodingError.dataCorruptedError(
          forKey: .weekStart, in: fields, debugDescription: "not a Monday")
      }
      return week
    }
    self.init(
      outcome: outcome, week: week, isReplayed: try fields.decode(Bool.self, forKey: .isReplayed))
  }

  /// Encodes the response, with the date of the week's Monday.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(outcome.name, forKey: .outcome)
    try fields.encodeIfPresent(outcome.reason, forKey: .reason)
    try fields.encodeIfPresent(week?.monday, forKey: .weekStart)
    try fields.encode(isReplayed, forKey: .isReplayed)
  }
}
