import BatonJobs
import BatonPostgres
import Foundation
import Tracing

/// The tracing spans of claims and runs, if the program has installed a tracer.
///
/// A run that is processed alone has one span. The span continues the trace of the run's first
/// event, and links to the traces of the run's other events. If several runs are processed
/// together, they share one span. Each traced run also gets a span in the trace of its event. The
/// traced run's span links to the span that the runs share.
struct RunSpans: Sendable {
  /// The span within which the claim is processed.
  private let work: any Span
  /// The spans of the traced runs, if several runs are processed together.
  private let runs: [any Span]

  /// The current time, for the start of a claim.
  static var now: DefaultTracerClock.Timestamp { DefaultTracerClock.now }

  /// The installed tracer, or nil if the tracer would discard spans.
  private static var tracer: (any Tracer)? {
    let tracer = InstrumentationSystem.tracer
    return tracer is NoOpTracer ? nil : tracer
  }

  /// Records a span for a claim that returned runs.
  ///
  /// A claim without runs has no span, so an idle worker does not fill the tracing backend.
  static func noteClaim(_ claim: Claim, since began: DefaultTracerClock.Timestamp)
    -> ServiceContext?
  {
    guard let tracer else { return nil }
    let span: any Span = tracer.startSpan(
      "claim \(claim.job.definition.name)", context: .topLevel, ofKind: .consumer, at: began)
    span.attributes["baton.job"] = claim.job.definition.name
    span.attributes["baton.runs"] = claim.runs.count
    span.end()
    return span.context
  }

  /// Starts a claim's spans, or returns nil if the tracer would discard them.
  init?(of claim: Claim, by worker: UUID) {
    guard let tracer = Self.tracer, let first = claim.runs.first else { return nil }
    let isAlone = claim.runs.count == 1
    let work = Self.start(
      isAlone ? first : nil, of: claim, by: worker, tracer,
      named: claim.job.definition.isEffect ? "effect" : "work")
    let traced = isAlone ? [] : claim.runs.filter { $0.trace != nil }
    self.work = work
    runs = traced.map { run in
      let span = Self.start(run, of: claim, by: worker, tracer, named: "run")
      span.addLink(SpanLink(context: work.context, attributes: [:]))
      return span
    }
  }

  /// Runs `body` within the claim's span, with a child span for each statement.
  func within<R>(_ body: () async throws -> R) async rethrows -> R {
    try await ServiceContext.withValue(work.context) {
      try await StatementObservation.$observer.withValue(StatementSpans()) { try await body() }
    }
  }

  /// Ends the spans with the result of the attempt.
  func end(_ result: AttemptResult) {
    for span in runs + [work] {
      span.say(result)
      span.end()
    }
  }

  /// Returns the trace context for events that are written while a claim is processed.
  ///
  /// If a tracer is installed, the method returns the current span's context. Without a tracer, the
  /// method returns the run's first trace context if the claim contains only one run. Without a
  /// tracer, the method returns nil if the claim contains several runs.
  static func traceparent(within claim: Claim) -> String? {
    if let traceparent = currentTraceparent { return traceparent }
    return claim.runs.count == 1 ? claim.runs[0].trace?.traceparents[0] : nil
  }

  /// The trace context of the current task, or nil if no tracer is installed.
  static var currentTraceparent: String? {
    guard tracer != nil, let context = ServiceContext.current else { return nil }
    var headers: [String: String] = [:]
    InstrumentationSystem.instrument.inject(context, into: &headers, using: Headers())
    return headers["traceparent"]
  }

  // MARK: Steps

  private static func start(
    _ run: ClaimedRun?, of claim: Claim, by worker: UUID, _ tracer: any Tracer, named name: String
  ) -> any Span {
    let contexts = (run?.trace?.traceparents ?? []).map(context)
    let job = claim.job.definition.name
    let span: any Span = tracer.startSpan(
      "\(name) \(job)", context: contexts.first ?? .topLevel, ofKind: .consumer)
    for other in contexts.dropFirst() { span.addLink(SpanLink(context: other, attributes: [:])) }
    if let claimed = claim.span { span.addLink(SpanLink(context: claimed, attributes: [:])) }
    span.attributes["baton.job"] = job
    span.attributes["baton.worker"] = worker.uuidString.lowercased()
    if let run {
      span.attributes["baton.run"] = run.id
      span.attributes["baton.key"] = run.key
      span.attributes["baton.attempt"] = run.attempt
    } else {
      span.attributes["baton.runs"] = claim.runs.count
    }
    return span
  }

  private static func context(of traceparent: String) -> ServiceContext {
    var context = ServiceContext.topLevel
    InstrumentationSystem.instrument.extract(
      ["traceparent": traceparent], into: &context, using: Headers())
    return context
  }
}

/// Provides a tracer with access to a dictionary of HTTP headers.
private struct Headers: Injector, Extractor {
  func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) {
    carrier[key] = value
  }

  func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
}

/// Creates one span for each statement, as a child of the current span.
private struct StatementSpans: StatementObserver {
  func answered(
    _ statement: String, from began: UInt64, to ended: UInt64, error: PostgresError?
  ) {
    let span = startSpan(
      statement, ofKind: .client,
      at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: began))
    span.attributes["db.system.name"] = "postgresql"
    if let error {
      span.attributes["db.response.status_code"] = error.sqlState.code
      span.setStatus(SpanStatus(code: .error))
    }
    span.end(at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: ended))
  }
}

extension Span {
  /// Records the result of the attempt.
  ///
  /// The error text is not recorded, because it may contain sensitive data. Only the log and the
  /// queue contain the error text.
  fileprivate func say(_ result: AttemptResult) {
    switch result {
    case .done: return
    case .cancelled: attributes["baton.end"] = "cancelled"
    case .undone(let error, let decision):
      attributes["baton.end"] =
        switch decision {
        case .release: "released"
        case .deadLetter: "dead"
        case nil: "lost"
        }
      attributes["error.type"] = "\(type(of: error))"
      setStatus(SpanStatus(code: .error))
    }
  }
}
