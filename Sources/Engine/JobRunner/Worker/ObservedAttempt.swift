import BatonPostgres

/// An attempt whose start and result are reported to metrics, spans and the watcher.
struct ObservedAttempt: Sendable {
  private let claim: Claim
  private let metrics: RunMetrics?
  private let spans: RunSpans?
  private let watch: WorkWatch?
  let began = ContinuousClock.now

  /// Reports the start of an attempt.
  init(
    _ claim: Claim, at now: Timestamp, metrics: RunMetrics?, spans: RunSpans?, watch: WorkWatch?
  ) {
    self.claim = claim
    self.metrics = metrics
    self.spans = spans
    self.watch = watch
    watch?.begin(claim)
    metrics?.begin(claim, at: now)
  }

  /// The time since the attempt started.
  var elapsed: Duration { began.duration(to: .now) }

  /// Runs a part of the attempt within the attempt's span.
  func within<R>(_ body: () async throws -> R) async rethrows -> R {
    guard let spans else { return try await body() }
    return try await spans.within(body)
  }

  /// Reports the result of the attempt.
  func end(_ result: AttemptResult) {
    let elapsed = elapsed
    metrics?.end(claim, result, after: elapsed)
    spans?.end(result)
    watch?.end(claim, result, after: elapsed)
  }
}
