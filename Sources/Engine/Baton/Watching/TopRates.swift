import BatonPostgres
package import JobRunner

/// The rates per second, computed from the differences between observations.
package struct TopRates: Sendable {
  /// The observations of the last ten seconds, oldest first.
  private var observations: [Observation] = []

  /// Creates the rates without observations.
  package init() {}

  package var newest: Observation? { observations.last }

  /// Adds the next observation.
  package mutating func add(_ observation: Observation) {
    // If the server's clock was set back, all previous observations are removed.
    if let newest, newest.at >= observation.at { observations = [] }
    observations.append(observation)
    // Rates are computed over ten seconds, because workers write their counts only every few
    // seconds.
    while observations.count > 2, seconds(observations[1], observation) >= 10 {
      observations.removeFirst()
    }
  }

  private func seconds(_ one: Observation, _ other: Observation) -> Double {
    Double(other.at.microseconds - one.at.microseconds) / 1_000_000
  }

  /// Returns how much a count grows per second, or nil if the rate is unknown.
  ///
  /// The rate is unknown if only one observation exists, or if the count decreased because the
  /// server's statistics were reset.
  package func rate(_ count: (Observation) -> Int64?) -> Double? {
    guard let first = observations.first, let last = observations.last, observations.count > 1,
      let (before, now) = count(first).flatMap({ before in count(last).map { (before, $0) } }),
      now >= before
    else { return nil }
    return Double(now - before) / seconds(first, last)
  }

  /// Returns how many of a job's runs are completed per second.
  package func done(of job: String) -> Double? {
    rate { $0.jobs.first { $0.name == job }?.runsDone }
  }

  /// The number of runs completed per second, across all jobs.
  package var done: Double? { rate { $0.jobs.reduce(0) { $0 + $1.runsDone } } }

  /// The number of events recorded per second.
  package var events: Double? {
    rate {
      $0.tables.filter { $0.name.hasPrefix("event_") && $0.name != "event_position" }
        .reduce(0) { $0 + $1.inserted }
    }
  }
}
