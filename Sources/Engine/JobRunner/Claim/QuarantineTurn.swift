/// When an executor asks for a job's quarantined runs ahead of its other runs.
///
/// Other runs are asked for first, as hardly ever any is quarantined. But under a load that never
/// lets that claim come back empty, quarantined ones would wait for ever: so an executor asks for them
/// first once a second, and every other time while there are some. Neither kind can starve the other.
struct QuarantineTurn {
  /// The longest that quarantined runs wait behind other runs; also what they cost: a round trip a second.
  static let patience = Duration.seconds(1)

  private var askedAt = ContinuousClock.now
  private var areThere = false
  private var othersCameSince = false

  /// Whether quarantined runs are asked for first.
  var hasCome: Bool {
    areThere ? othersCameSince : askedAt.duration(to: .now) >= Self.patience
  }

  /// After a claim of quarantined runs.
  mutating func wereAskedFor(found: Bool) {
    askedAt = .now
    areThere = found
    othersCameSince = false
  }

  /// After a claim that took other runs.
  mutating func othersWereClaimed() { othersCameSince = true }
}
