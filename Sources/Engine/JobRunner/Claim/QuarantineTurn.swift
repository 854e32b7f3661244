/// Decides when an executor claims a job's quarantined runs before its other runs.
///
/// Other runs are claimed first, because quarantined runs are rare. Under constant load, the claim
/// of other runs is never empty, and quarantined runs would wait forever. To prevent starvation, an
/// executor claims quarantined runs first once a second, and at every second claim while
/// quarantined runs exist. Neither kind of run can starve the other.
struct QuarantineTurn {
  /// The longest time that quarantined runs wait for other runs.
  ///
  /// The cost is one round trip per second.
  static let patience = Duration.seconds(1)

  private var askedAt = ContinuousClock.now
  private var areThere = false
  private var othersCameSince = false

  /// Whether quarantined runs are claimed first.
  var hasCome: Bool {
    areThere ? othersCameSince : askedAt.duration(to: .now) >= Self.patience
  }

  /// Records the result of a claim of quarantined runs.
  mutating func wereAskedFor(found: Bool) {
    askedAt = .now
    areThere = found
    othersCameSince = false
  }

  /// Records that a claim returned other runs.
  mutating func othersWereClaimed() { othersCameSince = true }
}
