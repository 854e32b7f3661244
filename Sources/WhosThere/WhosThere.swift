import ArgumentParser
import Baton
import CVersion
import ClaimsSQL
import JobCore
import JobRunner
import Postgres
import Presence
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
  static let jobs =
    PresenceJobs.all.map { register($0) } + PresenceJobs.effects.map { register($0) }
  static let parts = [SQL.claims, SQL.presence]
  static let variables = [HTTPPush.variable]
  static let commands: [any ParsableCommand.Type] = [GroupsCommand.self, GroupCommand.self]

  #if HTTP
    static let http: (any HTTPFront)? = HTTPAnswers(pages: [PlacesPage()])
  #endif

  /// A job with its stores in the work's transaction.
  static func register<J: TransactionalJob<PresenceContext>>(_ type: J.Type) -> RegisteredJob {
    RegisteredJob(type) { PresenceContext(expired: PostgresExpiredRecords($0)) }
  }

  /// A job that tells members something; what it reads is behind the fence of its run.
  static func register<J: EffectJob<PushContext>>(
    _ type: J.Type, push: (any Push)? = HTTPPush.ofEnvironment
  ) -> RegisteredJob {
    RegisteredJob(type) { effect in
      let news = PostgresNews { read in try await effect.transaction { try await read($0) } }
      return PushContext(news: news, push: push)
    }
  }
}
