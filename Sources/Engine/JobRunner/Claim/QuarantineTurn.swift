/// When an executor claims a job's quarantined runs before its other runs.
///
/// Other runs are claimed first, because quarantined runs are rare. Under constant load that claim never returns
/// empty, and quarantined runs would wait for ever. So an executor claims them first once a second, and every other
/// time while there are some. Neither kind can starve the other.
struct QuarantineTurn {
  /// The longest that quarantined runs wait for other runs; the cost is one round trip a second.
  static let patience = Duration.seconds(1)

  private var askedAt = ContinuousClock.now
  private var areThere = false
  private var othersCameSince = false

  /// Whether quarantined runs are claimed first.
  var hasCome: Bool {
    areThere ? othersCameSince : askedAt.duration(to: .now) >= Self.patience
  }

  /// Call it after a claim of quarantined runs.
  mutating func wereAskedFor(found: Bool) {
    askedAt = .now
    areThere = found
    othersCameSince = false
  }

  /// Call it after a claim that returned other runs.
  mutating func othersWereClaimed() { othersCameSince = true }
}
