import BatonPostgres
package import JobRunner

/// How much goes on in a second, from what has come to be between observations.
package struct TopRates: Sendable {
  /// Those of the last ten seconds, the oldest first.
  private var observations: [Observation] = []

  /// Nothing was observed.
  package init() {}

  package var newest: Observation? { observations.last }

  /// Takes the next observation.
  package mutating func add(_ observation: Observation) {
    // The server's clock may be set back: nothing is known then.
    if let newest, newest.at >= observation.at { observations = [] }
    observations.append(observation)
    // Workers write down what they did every few seconds: over one second there would be none or all.
    while observations.count > 2, seconds(observations[1], observation) >= 10 {
      observations.removeFirst()
    }
  }

  private func seconds(_ one: Observation, _ other: Observation) -> Double {
    Double(other.at.microseconds - one.at.microseconds) / 1_000_000
  }

  /// By how much a count grew in a second; nil where nobody knows: of one observation, and where it fell, because
  /// the server's statistics began anew.
  package func rate(_ count: (Observation) -> Int64?) -> Double? {
    guard let first = observations.first, let last = observations.last, observations.count > 1,
      let (before, now) = count(first).flatMap({ before in count(last).map { (before, $0) } }),
      now >= before
    else { return nil }
    return Double(now - before) / seconds(first, last)
  }

  /// Runs of a job that ended well.
  package func done(of job: String) -> Double? {
    rate { $0.jobs.first { $0.name == job }?.runsDone }
  }

  /// Those of all jobs.
  package var done: Double? { rate { $0.jobs.reduce(0) { $0 + $1.runsDone } } }

  /// Events that were written.
  package var events: Double? {
    rate {
      $0.tables.filter { $0.name.hasPrefix("event_") && $0.name != "event_position" }
        .reduce(0) { $0 + $1.inserted }
    }
  }
}
