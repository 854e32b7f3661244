import Baton
import JobRunner
import Synchronization

/// The earlier readings.
///
/// The pages compute rates from earlier readings, and show the last reading if the server cannot be
/// read.
final class ReadingHistory: Sendable {
  /// The data of the earlier readings.
  struct Past: Sendable {
    /// The last successful reading, and the time when it was added.
    var last: (reading: Reading, at: ContinuousClock.Instant)?
    var rates = TopRates()
    /// The completed runs per second with their times, over the last ten minutes, oldest first.
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

  /// A copy of the history's current data.
  var now: Past { past.withLock { $0 } }
}
