/// Decides when an executor claims a job's quarantined runs before its other runs.
///
/// Usually, quarantined runs are claimed last, because they are rare. Under constant load,
/// quarantined runs would then wait forever, because runs outside quarantine are always due. Once
/// per second, an executor therefore claims quarantined runs before other runs. While quarantined
/// runs exist, every second claim selects them first, so neither kind of run can starve the other.
struct QuarantineTurn {
  /// The maximum time that quarantined runs wait while other runs are claimed.
  ///
  /// In a busy queue, claiming quarantined runs costs three round trips per second.
  static let patience = Duration.seconds(1)

  private var askedAt = ContinuousClock.now
  private var areThere = false
  private var othersCameSince = false

  /// Whether the next claim must select quarantined runs first.
  var hasCome: Bool {
    areThere ? othersCameSince : askedAt.duration(to: .now) >= Self.patience
  }

  /// Records the result of a claim of quarantined runs.
  mutating func wereAskedFor(found: Bool) {
    askedAt = .now
    areThere = found
    othersCameSince = false
  }

  /// Records that none of the job's runs have been due for at least ``patience``.
  ///
  /// Quarantined runs cannot have waited while no run was due. The next claim can therefore select
  /// runs outside quarantine first.
  mutating func wasIdle() { askedAt = .now }

  /// Records that a claim returned runs that are not quarantined.
  mutating func othersWereClaimed() { othersCameSince = true }
}
