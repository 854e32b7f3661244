import BatonPostgres

/// Where the claims of one job begin: behind what this worker has claimed already.
///
/// Index entries of finished runs stay at the low end for as long as any old transaction is open.
/// A run with an earlier due can appear behind the mark, so every now and then one claim looks from
/// the beginning. What that finds counts, and what claims that began before it find does not: they
/// would put the mark ahead of earlier runs again and again.
struct LowWaterMark {
  /// Where one claim looks.
  struct Look {
    let from: Timestamp
    let began: ContinuousClock.Instant
    fileprivate let isWhole: Bool
    fileprivate let generation: Int
  }

  /// The due where the last full batch ended; nil: from the beginning.
  private var due: Timestamp?
  private var lastWhole = ContinuousClock.now
  /// How long a look from the beginning took, the last time.
  private var wholeTook = Duration.zero
  /// Counts the looks from the beginning that have ended.
  private var generation = 0

  /// Behind the mark, and every second from the beginning.
  ///
  /// More rarely where that is dear, so that it takes a twentieth of the time at most. One look at a
  /// time renews the mark.
  mutating func begin(at now: ContinuousClock.Instant = .now) -> Look {
    if let due, lastWhole.duration(to: now) < max(.seconds(1), wholeTook * 20) {
      return Look(from: due, began: now, isWhole: false, generation: generation)
    }
    lastWhole = now
    return Look(
      from: Timestamp(microseconds: 0), began: now, isWhole: true, generation: generation)
  }

  /// Moves the mark behind a full batch; what is not full was the end of the queue.
  mutating func end(
    _ look: Look, latest: Timestamp?, isFull: Bool, at now: ContinuousClock.Instant = .now
  ) {
    guard look.generation == generation else { return }
    if look.isWhole {
      wholeTook = look.began.duration(to: now)
      generation += 1
      due = nil
    }
    guard isFull, let latest else {
      due = nil
      return
    }
    due = max(due ?? latest, latest)
  }
}
