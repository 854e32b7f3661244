import Baton
import JobRunner
import Synchronization

/// The earlier readings: for rates, and for the last known state if nothing can be read now.
final class ReadingHistory: Sendable {
  /// The data of earlier readings.
  struct Past: Sendable {
    /// The last reading with an observation.
    var last: (reading: Reading, at: ContinuousClock.Instant)?
    var rates = TopRates()
    /// The runs done per second with their times, for the last ten minutes, the oldest first.
    var done: [(at: ContinuousClock.Instant, rate: Double)] = []
  }

  private static let longest = Duration.seconds(600)
  private let past = Mutex(Past())

  /// Adds a reading.
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

  /// The data at this moment.
  var now: Past { past.withLock { $0 } }
}
