import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import TestSupport
import Testing
import Tracing

@testable import JobRunner

/// Tests the spans of claims, work and statements that a tracer receives.
@Suite struct RunSpanTests {
  private func write(_ key: String, from place: SpanPlace?, _ queue: NoteQueue) async throws {
    var context = ServiceContext.topLevel
    context.place = place
    try await ServiceContext.withValue(place == nil ? nil : context) {
      try await queue.queue.session.transaction { transaction in
        try await transaction.carryTrace()
        try await transaction.run(
          .run(
            Statement("test/write", "select append_events('note.written', array[$1])"), key))
      }
    }
  }

  /// Returns the spans that a tracer receives while a worker processes one batch with these keys,
  /// each from its place.
  private func heard(
    _ events: [(key: String, place: SpanPlace?)], isDone: Bool = true
  ) async throws -> [RecordingTracer.Ended] {
    let tracer = RecordingTracer()
    try await NoteQueue.with { queue in
      try await withTracer(tracer) {
        for (key, place) in events { try await write(key, from: place, queue) }
        _ = try await queue.queue.foldAtOnce()
        let executor = try await queue.executor()
        let job = queue.job
        #expect(try await executor.workOnce(job))
        // A claim without runs creates no span.
        if isDone { #expect(try await !executor.workOnce(job)) }
        #expect(try await queue.count("noted") == (isDone ? Set(events.map(\.key)).count : 0))
      }
    }
    return tracer.spans
  }

  @Test func `a run continues the trace of its first event and links to the others`() async throws {
    let places = [SpanPlace.random(), .random(), .random()]
    let spans = try await heard(places.map { ("a", $0) })
    let claim = try #require(spans.first { $0.name == "claim note" })
    let work = try #require(spans.first { $0.name == "work note" })
    #expect(work.trace == places[0].trace && work.parent == places[0].id)
    #expect(work.links == [places[1].id, places[2].id, claim.id])
    #expect(work.attributes["baton.key"]?.contains("a") == true && !work.isFailed)
    #expect(claim.parent == "" && claim.ended <= work.began)
    let statements = spans.filter { $0.parent == work.id }
    #expect(statements.map(\.name).contains("test/note"))
    #expect(statements.map(\.name).contains("queue/end_claimed"))
    for statement in statements {
      #expect(statement.trace == work.trace)
      #expect(work.began <= statement.began && statement.began <= statement.ended)
      #expect(statement.ended <= work.ended)
    }
    #expect(spans.count == statements.count + 2)
  }

  @Test
  func `runs that are worked together have a trace of their own, and each one in its event's`()
    async throws
  {
    let places = [SpanPlace.random(), .random()]
    let spans = try await heard([("a", places[0]), ("b", places[1]), ("c", nil)])
    let work = try #require(spans.first { $0.name == "work note" })
    #expect(work.parent == "" && work.attributes["baton.runs"]?.contains("3") == true)
    let runs = spans.filter { $0.name == "run note" }
    #expect(Set(runs.map(\.parent)) == Set(places.map(\.id)))
    #expect(Set(runs.map(\.trace)) == Set(places.map(\.trace)))
    for run in runs { #expect(run.links.contains(work.id)) }
  }

  @Test func `work that fails is an error, named by its type and not by its words`() async throws {
    let spans = try await heard([("bad", .random())], isDone: false)
    let work = try #require(spans.first { $0.name == "work note" })
    #expect(work.isFailed && work.attributes["error.type"]?.contains("TestFailure") == true)
    #expect(work.attributes["baton.end"]?.contains("released") == true)
    #expect(!work.attributes.values.contains { $0.contains("always fails") })
  }

  @Test func `an effect is performed in its span, and what it writes belongs to its trace`()
    async throws
  {
    let tracer = RecordingTracer()
    let place = SpanPlace.random()
    try await TestSchema.run([CallingJob.registered, NoticeJob.registered]) { test in
      try await test.sql("create table noticed (id bigint generated always as identity, text text)")
      try await test.sql(
        """
        with trace as materialized (
          select set_config('baton.traceparent', '\(place.traceparent)', true) as text)
        select enqueue('calling', text)::text from trace
        """)
      let died = try await withTracer(tracer) { () async throws in try await test.drain() }
      #expect(died == 0)
      let effect = try #require(tracer.spans.first { $0.name == "effect calling" })
      let inside = try #require(tracer.spans.first { $0.name == "inside" })
      #expect(effect.trace == place.trace && effect.parent == place.id)
      #expect(inside.trace == place.trace && inside.parent == effect.id)
      #expect(
        try await test.sql("select trace from event where topic = 'notice.given'")
          == [SpanPlace(trace: place.trace, id: effect.id).traceparent])
    }
  }
}

/// An effect that begins its own span and writes an event.
private struct CallingJob: EffectJob {
  static let definition = Definition<Self>("calling")

  static func perform(_ run: Run<Self>, in context: Effect) async throws {
    withSpan("inside") { _ in }
    try await context.transaction { transaction in
      try await transaction.run(
        .run(
          Statement("test/give", "select append_events('notice.given', array['n'])")))
    }
  }

  static var registered: RegisteredJob { RegisteredJob(CallingJob.self) { $0 } }
}
