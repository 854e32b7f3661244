public import Foundation

/// One completed workout as it leaves the phone: only the time at which it was completed.
public struct WorkoutHistoryEntry: Codable, Hashable, Sendable, Identifiable {
  /// The workout's own id; with the user's it is the key by which a repeated call changes nothing.
  public let id: String
  /// When it was completed; nil: when the server receives it.
  public var performedAt: Date?
  /// Where the phone's clock stood then, in seconds before UTC; nil: the zone of the profile.
  public var utcOffsetSeconds: Int?
  /// Higher with each edit.
  public var revision: Int

  /// A workout.
  public init(id: String, performedAt: Date?, utcOffsetSeconds: Int? = nil, revision: Int = 0) {
    self.id = id
    self.performedAt = performedAt
    self.utcOffsetSeconds = utcOffsetSeconds
    self.revision = revision
  }

  /// A workout that was completed in a time zone.
  public init(id: String, performedAt: Date, in zone: TimeZone, revision: Int = 0) {
    self.init(
      id: id, performedAt: performedAt, utcOffsetSeconds: zone.secondsFromGMT(for: performedAt),
      revision: revision)
  }
}

/// What became of a workout.
///
/// Every outcome is final: the caller need not call again, and a queue drops the workout. Only a call that
/// throws may be tried again.
public enum WorkoutOutcome: Hashable, Sendable {
  /// It counts.
  case accepted
  /// A newer revision is known.
  case duplicate
  /// It is kept but counts nowhere, because of what the reason says.
  case notCounted(reason: String)
  /// The user does not share workouts: nothing of it is kept.
  case ignoredPrivacy
  /// The user is in no group.
  case noActiveGroup
  /// It counts for later streaks; the board of its week was closed already.
  case acceptedLate
  /// It is so old that the server cannot tell whether it was counted before.
  case expired
  /// It is refused, because of what the reason says.
  case rejected(reason: String)
}

extension WorkoutOutcome {
  /// Its name, as the server says it.
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

  /// The reason, if the name alone does not say it.
  ///
  /// It is a text, because a server may have reasons that an older app does not know.
  public var reason: String? {
    switch self {
    case .notCounted(let reason), .rejected(let reason): reason
    default: nil
    }
  }

  /// The outcome that the server names; nil for an unknown name, a missing reason or a needless one.
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

/// What the server answers about a workout.
public struct WorkoutAnswer: Codable, Hashable, Sendable {
  /// What became of it.
  public let outcome: WorkoutOutcome
  /// The week it belongs to; nil if nothing of it is stored.
  public let week: Week?
  /// The call was made before: this is the answer it got then, and nothing changed.
  public let isReplayed: Bool

  /// An answer.
  public init(outcome: WorkoutOutcome, week: Week?, isReplayed: Bool) {
    self.outcome = outcome
    self.week = week
    self.isReplayed = isReplayed
  }

  private enum CodingKeys: String, CodingKey { case outcome, reason, weekStart, isReplayed }

  /// Reads an answer; an outcome without a meaning is an error.
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

  /// Writes the answer, its week as a Monday.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(outcome.name, forKey: .outcome)
    try fields.encodeIfPresent(outcome.reason, forKey: .reason)
    try fields.encodeIfPresent(week?.monday, forKey: .weekStart)
    try fields.encode(isReplayed, forKey: .isReplayed)
  }
}
