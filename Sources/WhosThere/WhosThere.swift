import ArgumentParser
import Baton
import CVersion
import ClaimsSQL
import JobCore
import JobRunner
import Postgres
import PresenceJobs
import PresencePostgres
import PresenceSQL

#if HTTP
  import Operations
#endif

/// Who is where: the executable `whosthere`, a second product on the library.
@main
struct WhosThere: Application {
  static let name = "whosthere"
  static let abstract = "Who of a group is at its place now."
  static let version = "0.1.0 (\(String(cString: baton_commit())))"
  static let jobs = PresenceJobs.all.map { register($0) }
  static let parts = [SQL.claims, SQL.presence]
  static let commands: [any ParsableCommand.Type] = [
    GroupsCommand.self, GroupCommand.self, PresentCommand.self,
  ]

  #if HTTP
    static let http: (any HTTPFront)? = HTTPAnswers(pages: [PlacesPage(), PresencePage()])
  #endif

  /// A job with its stores in the work's transaction.
  static func register<J: TransactionalJob<PresenceContext>>(_ type: J.Type) -> RegisteredJob {
    RegisteredJob(type) {
      PresenceContext(
        expired: PostgresExpiredRecords($0), presences: PostgresPresenceUpkeep($0),
        unlocks: PostgresUnlocks($0))
    }
  }
}
