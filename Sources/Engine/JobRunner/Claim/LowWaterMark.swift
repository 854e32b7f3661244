import BatonPostgres

/// The place in the queue where the claims of one job start.
///
/// Claims start after the runs that this worker has already claimed. Index entries of finished runs
/// stay at the beginning of the queue while an old transaction is open. Each claim from the
/// beginning would read these entries. A run with an earlier due time can appear before the mark.
/// From time to time, one claim therefore searches from the beginning, and its result sets the
/// mark. Results of claims that began before that search are ignored, because they would move the
/// mark past earlier runs.
struct LowWaterMark {
  /// The range that one claim searches.
  struct Look {
    let from: Timestamp
    let began: ContinuousClock.Instant
    fileprivate let isWhole: Bool
    fileprivate let generation: Int
  }

  /// The due time at the end of the last full batch, or nil if claims start at the beginning.
  private var due: Timestamp?
  private var lastWhole = ContinuousClock.now
  /// The duration of the last search from the beginning.
  private var wholeTook = Duration.zero
  /// The number of completed searches from the beginning.
  private var generation = 0

  /// Returns the range of the next claim, which starts at the mark or, every second, at the
  /// beginning.
  ///
  /// If a search from the beginning is slow, it is repeated less often, so that such searches take
  /// at most a twentieth of the time. Only one search at a time may set the mark.
  mutating func begin(at now: ContinuousClock.Instant = .now) -> Look {
    if let due, lastWhole.duration(to: now) < max(.seconds(1), wholeTook * 20) {
      return Look(from: due, began: now, isWhole: false, generation: generation)
    }
    lastWhole = now
    // A run may be due long before 1970, because zero dates of other languages are.
    return Look(from: .earliest, began: now, isWhole: true, generation: generation)
  }

  /// Moves the mark to the end of a full batch.
  ///
  /// A batch that is not full has reached the end of the queue, so the mark is removed.
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
