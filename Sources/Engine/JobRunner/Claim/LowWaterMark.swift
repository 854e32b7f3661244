import BatonPostgres

/// Where the claims of one job start in the queue: after the runs that this worker has claimed already.
///
/// Index entries of finished runs stay at the low end while any old transaction is open, and each claim from the
/// beginning would read them. A run with an earlier due can appear before the mark, so from time to time one claim
/// searches from the beginning. Its result sets the mark. Results of claims that began before it are ignored, because
/// they would move the mark past earlier runs again and again.
struct LowWaterMark {
  /// The range that one claim searches.
  struct Look {
    let from: Timestamp
    let began: ContinuousClock.Instant
    fileprivate let isWhole: Bool
    fileprivate let generation: Int
  }

  /// The due at the end of the last full batch; nil: claims start at the beginning.
  private var due: Timestamp?
  private var lastWhole = ContinuousClock.now
  /// How long the last search from the beginning took.
  private var wholeTook = Duration.zero
  /// The number of completed searches from the beginning.
  private var generation = 0

  /// Starts at the mark, and every second at the beginning.
  ///
  /// If a search from the beginning is slow, it happens more rarely, so that it takes a twentieth of the time at
  /// most. Only one search at a time renews the mark.
  mutating func begin(at now: ContinuousClock.Instant = .now) -> Look {
    if let due, lastWhole.duration(to: now) < max(.seconds(1), wholeTook * 20) {
      return Look(from: due, began: now, isWhole: false, generation: generation)
    }
    lastWhole = now
    return Look(
      from: Timestamp(microseconds: 0), began: now, isWhole: true, generation: generation)
  }

  /// Moves the mark to the end of a full batch; a batch that is not full has reached the end of the queue.
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
