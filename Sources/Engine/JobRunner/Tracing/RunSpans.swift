import BatonJobs
import BatonPostgres
import Foundation
import Tracing

/// The spans of claims and their work, for whatever tracer the program has installed; none where it has none.
///
/// One run that is worked by itself continues the trace of its first event, and links to those of the others. Runs
/// that are worked together have one span of their own for the work; each of them that was traced has one in its
/// event's trace too, as long as the work, with a link to it.
enum RunSpans {
  /// When a claim begins.
  static var now: DefaultTracerClock.Timestamp { DefaultTracerClock.now }

  /// Nil where spans would be thrown away.
  private static var tracer: (any Tracer)? {
    let tracer = InstrumentationSystem.tracer
    return tracer is NoOpTracer ? nil : tracer
  }

  /// The span of a claim that took runs.
  ///
  /// One that found none has no span: an idle worker shall not fill a store.
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

  /// Works a claim in its spans; the statements that it sends have each one of their own.
  static func around(
    _ claim: Claim, by worker: UUID, _ body: () async -> AttemptResult
  ) async -> AttemptResult {
    guard let tracer, let first = claim.runs.first else { return await body() }
    let isAlone = claim.runs.count == 1
    let work = start(
      isAlone ? first : nil, of: claim, by: worker, tracer,
      named: claim.job.definition.isEffect ? "effect" : "work")
    let traced = isAlone ? [] : claim.runs.filter { $0.trace != nil }
    let runs: [any Span] = traced.map { run in
      let span = start(run, of: claim, by: worker, tracer, named: "run")
      span.addLink(SpanLink(context: work.context, attributes: [:]))
      return span
    }
    let result = await ServiceContext.withValue(work.context) {
      await StatementObservation.$observer.withValue(StatementSpans()) { await body() }
    }
    for span in runs + [work] {
      span.say(result)
      span.end()
    }
    return result
  }

  /// The context that events get which the work of a claim writes: of the span now; where nobody traces, that of
  /// the run alone that is worked, so that a chain of jobs stays one trace.
  static func traceparent(within claim: Claim) -> String? {
    if let traceparent = currentTraceparent { return traceparent }
    return claim.runs.count == 1 ? claim.runs[0].trace?.traceparents[0] : nil
  }

  /// That of the task; nil where nobody traces.
  static var currentTraceparent: String? {
    guard tracer != nil, let context = ServiceContext.current else { return nil }
    var headers: [String: String] = [:]
    InstrumentationSystem.instrument.inject(context, into: &headers, using: Headers())
    return headers["traceparent"]
  }

  // MARK: Parts

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

/// What a carrier of HTTP headers is for a tracer.
private struct Headers: Injector, Extractor {
  func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) {
    carrier[key] = value
  }

  func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
}

/// One span for each statement, below the one that is current.
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
  /// What became of the work.
  ///
  /// The error's own words may hold data, and stand in the log and in the queue.
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
