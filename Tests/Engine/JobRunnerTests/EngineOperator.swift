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
    case .cancel:
      let ids = try await stage.sql(
        """
        select id from (select id from run union all select id from dead_run) r
        order by random() limit 1
        """)
      guard let id = ids.first.flatMap({ Int64($0) }) else { return }
      _ = try await withQueue { try await $0.cancel(id) }
    case .retry: _ = try await withQueue { try await $0.retry(DeadSelection()) }
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
    }
  }

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
