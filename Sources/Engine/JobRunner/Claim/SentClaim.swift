import Foundation

/// A claim whose response has not arrived yet.
///
/// The caller must call ``end(with:)`` or ``fail()`` once.
struct SentClaim {
  /// The fencing token of the claim.
  let token: UUID
  /// The time immediately before the claim is sent.
  let sentAt = ContinuousClock.now
  private let job: RegisteredJob
  private let worker: WorkerContext
  private let term: Int
  private let began = RunSpans.now

  /// Creates the claim's token and records it.
  ///
  /// The caller sends the claim afterwards.
  init(of job: RegisteredJob, by worker: WorkerContext) {
    (self.job, self.worker) = (job, worker)
    token = UUID.token(of: job.definition)
    worker.identity.claims.begin(token)
    term = worker.lease.term
  }

  /// Returns the claim of the returned runs, or nil if the claim found no runs.
  func end(with runs: [ClaimedRun]) -> Claim? {
    guard !runs.isEmpty else {
      worker.identity.claims.end(token)
      return nil
    }
    var claim = Claim(job: job, token: token, runs: runs, term: term, sentAt: sentAt)
    claim.span = RunSpans.noteClaim(claim, since: began)
    return claim
  }

  /// Ends the claim after an error.
  ///
  /// If the response was lost, the server may have committed the claim. The worker then releases
  /// the claimed runs (``HeldClaims``).
  func fail() { worker.identity.claims.abandon(token) }
}
