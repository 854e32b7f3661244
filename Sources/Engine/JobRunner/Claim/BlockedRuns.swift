import BatonPostgres

/// The position in a job's queue before which a slow claim found no run that it could claim.
///
/// A due run cannot start while another run of its key is running or parked. Each claim would read
/// all such blocked runs at the front of the queue. While an old transaction is open, each claim
/// would also read the index entries of the completed runs after the first blocked run. After a
/// slow claim that has read many entries, later claims begin after these entries. After a pause,
/// one claim reads all of them again.
struct BlockedRuns {
  /// A claim's search for runs.
  struct Search: Sendable {
    /// The position where the search begins.
    let place: QueueFront.Place
    /// Whether the search begins at the front of the queue.
    fileprivate let isWhole: Bool
    /// The time of the last dispatch before the search, or nil if no poll has found it.
    fileprivate let dispatchedAt: Timestamp?
    fileprivate let began: ContinuousClock.Instant

    /// Returns the position before which the search found no run that it could claim.
    ///
    /// The position is never later than the last dispatch before the search, like the positions of
    /// ``QueueFront``. Runs that a later dispatch creates are not before this position.
    ///
    /// - Parameter runs: the claimed runs, which are the first ones that the claim could claim.
    /// - Returns: nil if the search was not slow.
    func end(
      with runs: [ClaimedRun], at now: ContinuousClock.Instant = .now
    ) -> QueueFront.Place? {
      guard let dispatchedAt, began.duration(to: now) >= BlockedRuns.slow else { return nil }
      let last = QueueFront.Place(due: dispatchedAt, id: 0)
      let first = runs.map { QueueFront.Place(due: $0.due, id: $0.id) }.min() ?? last
      let end = min(first, last)
      return end > place ? end : nil
    }
  }

  /// The number of blocked runs from which later claims begin after them.
  ///
  /// Later claims also begin after fewer blocked runs if reading this part of the queue takes at
  /// least 2 ms. A claim can be slow for other reasons, for example because it waits for a lock.
  static let fewest: Int64 = 2_000
  /// The minimum duration of a slow claim.
  private static let slow = Duration.milliseconds(20)
  /// The maximum time between two claims that read all blocked runs.
  private static let longestPause = Duration.seconds(1)

  private var place = QueueFront.Marks().earliest
  /// Until this time, claims begin at `place`.
  private var until = ContinuousClock.now

  /// Begins a search at the front of the queue, or at the stored position.
  func begin(from marks: QueueFront.Marks, at now: ContinuousClock.Instant = .now) -> Search {
    let front = marks.earliest
    // If the stored position is later than the last dispatch, the server's clock was set back.
    let isValid = now < until && marks.others.map { place.due <= $0 } ?? false
    let first = isValid ? max(front, place) : front
    return Search(
      place: first, isWhole: first == front, dispatchedAt: marks.others, began: now)
  }

  /// Stores the position that ``Search/end(with:at:)`` has returned.
  ///
  /// The pause before the next search of all blocked runs is 20 times as long as this search.
  mutating func pass(
    _ search: Search, to place: QueueFront.Place, at now: ContinuousClock.Instant = .now
  ) {
    self.place = place
    guard search.isWhole else { return }
    until = now + min(search.began.duration(to: now) * 20, Self.longestPause)
  }
}
