import Baton
import JobRunner
import Synchronization

/// What was read before: how fast things go, and what was last known where nothing can be read now.
final class Trail: Sendable {
  /// What is known of the time before.
  struct Past: Sendable {
    /// The last reading with an observation.
    var last: (reading: Reading, at: ContinuousClock.Instant)?
    var rates = TopRates()
    /// Runs done a second, by when; the oldest first, of the last ten minutes.
    var done: [(at: ContinuousClock.Instant, rate: Double)] = []
  }

  private static let longest = Duration.seconds(600)
  private let past = Mutex(Past())

  /// Takes a reading.
  func add(_ reading: Reading, at now: ContinuousClock.Instant = .now) {
    guard let observation = reading.observation else { return }
    past.withLock { past in
      past.last = (reading, now)
      past.rates.add(observation)
      guard let rate = past.rates.done else { return }
      past.done.append((now, rate))
      past.done.removeAll { $0.at.duration(to: now) > Self.longest }
    }
  }

  /// What is known now.
  var now: Past { past.withLock { $0 } }
}
