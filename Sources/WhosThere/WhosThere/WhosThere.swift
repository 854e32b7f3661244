import ArgumentParser
import Baton
import BatonJobs
import BatonPostgres
import Bench
import CVersion
import CheckIns
import IdentitySQL
import JobRunner
import Presence
import PresenceJobs
import PresencePostgres
import PresenceSQL
import PresenceServer
import ProductCommands
import ProductPush

#if HTTP
  import BatonOperations
  import ProductAPI
#endif

/// The `whosthere` program, which shows the members who are present at groups' places.
///
/// Like the `gymrats` program, `whosthere` is built with Baton.
@main
struct WhosThere: BenchedApplication {
  static let name = "whosthere"
  static let abstract = "Shows which members of a group are at its place now."
  static let version = String(cString: baton_version())
  static let jobs =
    PresenceJobs.all.map { register($0) } + PresenceJobs.effects.map { register($0) } + [
      register(PresenceJobs.messageDelivery, [.ofMessages]),
      register(PresenceJobs.arrivalDelivery, [.ofArrivals]),
      register(PushWebhook.self, [.ofMessages, .ofArrivals]),
    ]
  static let parts = [SQL.identity, SQL.presence]
  static let commands: [any ParsableCommand.Type] =
    served + [
      GroupsCommand.self, GroupCommand.self, PresentCommand.self,
      ReportsCommand<WhosThere>.self, DemoCommand.self,
    ]

  #if HTTP
    private static let served: [any ParsableCommand.Type] = [APICommand.self]
    static let variables =
      [HTTPPush.variable, "BATON_CHECKINS"] + PushSenders.variables + APISettings.variables
  #else
    private static let served: [any ParsableCommand.Type] = []
    static let variables = [HTTPPush.variable, "BATON_CHECKINS"] + PushSenders.variables
  #endif
  static let benchCases: [any BenchCase] = [SummaryCase(), DeadlineCase()]
  static let dataCheck: Statement? = SQL.Bench.holdsData

  #if HTTP
    static let http: (any HTTPFront)? = OperationsServer(pages: [PlacesPage(), PresencePage()])
  #endif

  static func complaint(about error: any Error) -> Complaint? {
    guard let error = error as? CheckInFileError else { return nil }
    return Complaint(
      error.isMissingFile ? .noInput : .data, what: error.what, place: error.place,
      next: error.next)
  }

  /// Registers a job whose stores use the job's transaction.
  static func register<J: TransactionalJob<PresenceContext>>(_ type: J.Type) -> RegisteredJob {
    RegisteredJob(type) {
      PresenceContext(
        expired: PostgresExpiredRecords($0), presences: PostgresPresenceUpkeep($0),
        unlocks: PostgresUnlocks($0), pushes: PostgresPushPlans($0))
    }
  }

  /// Registers a job that sends notifications.
  ///
  /// Each of the job's queries runs in a transaction that checks the run's fencing token.
  static func register<J: EffectJob<PushContext>>(
    _ type: J.Type, push: (any Push)? = HTTPPush.ofEnvironment
  ) -> RegisteredJob {
    RegisteredJob(type) { effect in
      let news = PostgresNews { read in try await effect.transaction { try await read($0) } }
      return PushContext(news: news, push: push)
    }
  }

  /// Registers a job that sends push notifications to devices.
  ///
  /// Each of the job's transactions checks the run's fencing token. If `senders` is nil, the push
  /// services are read from the environment at the first run.
  static func register<J: EffectJob<PushDelivery>>(
    _ type: J.Type, _ statements: [PushStatements], senders: PushSenders? = nil
  ) -> RegisteredJob {
    RegisteredJob(type) { PushDelivery($0, statements, senders: senders ?? .ofEnvironment) }
  }
}
