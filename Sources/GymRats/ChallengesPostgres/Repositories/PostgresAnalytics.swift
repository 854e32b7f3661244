import BatonPostgres
import Challenges
import ChallengesSQL
import Foundation

/// Reports the events of the actor's phones to PostgreSQL.
struct PostgresAnalytics: AnalyticsRepository {
  let calls: ActorCalls

  func report(_ event: ClientEvent) async throws -> Bool {
    let (kind, time): (String, Int?) =
      switch event.kind {
      case .writeFailed: ("write_failed", nil)
      case .linkFailed: ("link_failed", nil)
      case .boardFetched(let milliseconds): ("board_fetched", milliseconds)
      }
    return try await calls.run(
      .row(
        SQL.Api.reportClientEvent, try calls.signedIn(), event.id, kind, try time?.asParameter
      ) { (row) throws(PostgresError) in try row.decode(Bool.self) })
  }

  func isBeta() async throws -> Bool {
    try await calls.run(
      .row(SQL.Api.isBeta, try calls.signedIn()) { (row) throws(PostgresError) in
        try row.decode(Bool.self)
      })
  }
}
