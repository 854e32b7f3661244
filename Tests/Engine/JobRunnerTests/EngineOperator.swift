import BatonPostgres
import Foundation
import JobTesting
import Logging
import TestSupport

@testable import JobRunner

/// An operator who uses the same calls as the commands, on connections that may be killed.
struct EngineOperator: Sendable {
  let stage: EngineStage

  func run(_ orders: [EngineScript.Order]) async throws {
    let began = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for order in orders {
        group.addTask {
          try await Task.sleep(until: began + .milliseconds(order.at), clock: .continuous)
          do {
            try await obey(order.action)
          } catch let error as PostgresError {
            guard error.sqlState.isTransient else { throw error }
          }
        }
      }
      try await group.waitForAll()
    }
  }
  private func obey(_ action: EngineScript.Order.Action) async throws {
    switch action {
    case .cancel(let number):
      let ids = try await stage.sql(
        """
        select id from (
          select id, row_number() over (order by id) as place, count(*) over () as runs
          from (select id from run union all select id from dead_run) r) r
        where place = 1 + \(number) % runs
        """)
      guard let id = ids.first.flatMap({ Int64($0) }) else { return }
      _ = try await withQueue { try await $0.cancel(id) }
    case .cancelCall(let number): try await cancelCall(number)
    case .retry: _ = try await withQueue { try await $0.retry(DeadSelection()) }
    case .retryEdited(let number): try await retryEdited(number)
    case .discard:
      _ = try await withQueue { try await $0.discard(DeadSelection()) }
    case .rotate:
      try await stage.sql("update event_segment set rotated_at = now() - interval '2 min'")
      try await withQueue { try await $0.rotate() }
    case .pause(let job): _ = try await withQueue { try await $0.setPaused(true, job: job) }
    case .resume(let job): _ = try await withQueue { try await $0.setPaused(false, job: job) }
    case .work(let job, let key):
      _ = try await runner(of: job).work(key: key, patience: .milliseconds(300))
    case .workDue(let job): _ = try await runner(of: job).workDue()
    case .limit(let job, let concurrency, let perGroup):
      let (new, newPerGroup) = (Self.change(to: concurrency), Self.change(to: perGroup))
      _ = try await withQueue { try await $0.setLimits(of: job, new, perGroup: newPerGroup) }
    case .pauseGroup(let job, let group):
      _ = try await withQueue { try await $0.setPaused(true, group: group, job: job) }
    case .resumeGroup(let job, let group):
      _ = try await withQueue { try await $0.setPaused(false, group: group, job: job) }
    }
  }

  private static func change(to limit: Int?) -> Queue.LimitChange {
    guard let limit else { return .reset }
    return .set(limit)
  }

  /// Cancels the run of a call, in any state, as a client does.
  private func cancelCall(_ number: Int) async throws {
    try await stage.sql(
      """
      select cancel_run(a.run_id, a.job, a.key)::text
      from (
        select run_id, job, key, row_number() over (order by event) as place, count(*) over () as calls
        from asked where run_id is not null) a
      where a.place = 1 + \(number) % a.calls
      """)
  }

  /// Retries a dead run with its own payload, but without the behavior that the payload requests.
  ///
  /// For a job that receives all payloads, the new payload would replace the payloads of several
  /// calls, and the model expects each of them.
  private func retryEdited(_ number: Int) async throws {
    let list = Call.rows(Self.deadToEdit, Int64(number), as: Int64.self, String.self)
    let dead: [(Int64, String)] = try await stage.admin.atomically(in: stage.test.schema, list)
    guard let (id, payload) = dead.first else { return }
    do {
      _ = try await withQueue { try await $0.retry(id, payload: payload) }
    } catch is NotDead {
      // Another operator has retried, discarded or cancelled the run.
    }
  }

  private static let deadToEdit = Statement(
    "test/dead_to_edit",
    """
    select d.id, (d.payload - 'what')::text
    from (
      select d.id, d.payload, row_number() over (order by d.id) as place, count(*) over () as runs
      from dead_run d join job j on j.name = d.job
      where d.payload is not null and not j.keeps_payloads) d
    where d.place = 1 + $1::bigint % d.runs
    """)

  private func runner(of job: String) throws -> InlineRunner {
    InlineRunner(
      try stage.job(job), on: stage.test.configuration, schema: stage.test.schema, logger: .quiet)
  }

  private func withQueue<R>(_ body: (Queue) async throws -> R) async throws -> R {
    let connection = try await stage.connect()
    do {
      let result = try await body(Queue(Session(connection, in: stage.test.schema)))
      await connection.close()
      return result
    } catch {
      await connection.close()
      throw error
    }
  }
}
