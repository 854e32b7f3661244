import ArgumentParser
import Baton
import BatonJobs
import BatonPostgres
import Bench
import CVersion
import ChallengeJobs
import ChallengesPostgres
import ChallengesSQL
import IdentitySQL
import JobRunner
import ProductCommands
import ProductPush

#if HTTP
  import BatonOperations
  import ProductAPI
#endif

/// The `gymrats` program for GymRats challenges.
@main
struct GymRats: BenchedApplication {
  static let name = "gymrats"
  static let abstract = "Weekly fitness challenges for groups, with background jobs on PostgreSQL."
  static let version = String(cString: baton_version())
  static let jobs =
    Jobs.all.map { register($0) } + Jobs.pushes.map { register($0) } + [register(PushWebhook.self)]
  static let parts = [SQL.identity, SQL.challenges]
  static let commands: [any ParsableCommand.Type] =
    served + [
      BoardCommand.self, ReplayCommand.self, WeekCommand.self, NotificationsCommand.self,
      DemoCommand.self, VerifyCommand.self, GroupsCommand.self, GroupCommand.self,
      AnalyticsCommand.self, ExplainRankCommand.self, ReportsCommand<GymRats>.self,
    ]

  #if HTTP
    private static let served: [any ParsableCommand.Type] = [APICommand.self]
    static let variables = ["BATON_CHECKINS"] + PushSenders.variables + APISettings.variables
  #else
    private static let served: [any ParsableCommand.Type] = []
    static let variables = ["BATON_CHECKINS"] + PushSenders.variables
  #endif
  static let benchCases: [any BenchCase] = databaseCases + apiCases
  private static let databaseCases: [any BenchCase] = [
    RerankCase(), WriteCase.spread, WriteCase.hot, VisibleCase.spread, VisibleCase.hot,
    LiveCase.spread, LiveCase.hot, CloseCase(), RetentionCase(), FootprintCase(),
  ]
  #if HTTP && !canImport(Darwin)
    private static let apiCases: [any BenchCase] = [APICase(), LiveCase.api]
  #else
    private static let apiCases: [any BenchCase] = []
  #endif
  static let dataCheck: Statement? = SQL.Bench.holdsData

  #if HTTP
    static let http: (any HTTPFront)? = OperationsServer(
      pages: [WeeksPage(), BoardsPage(), MembersPage(), NotificationsPage()],
      feeds: [BoardFeed()])
  #endif

  static func complaint(about error: any Error) -> Complaint? { Complaint(ofProduct: error) }

  /// Registers a job whose stores use the job's transaction.
  ///
  /// A dry run of the job prints the boards that the job would change.
  static func register<J: TransactionalJob<JobContext>>(_ type: J.Type) -> RegisteredJob {
    RegisteredJob(
      type,
      shows: { transaction, keys in
        let standings = try await Boards.standings(of: keys, in: transaction)
        return standings.isEmpty ? nil : BoardPage(standings).text
      },
      context: {
        JobContext(
          leaderboards: PostgresLeaderboards($0), weeks: PostgresWeeks($0),
          notifications: PostgresNotifications($0), expired: PostgresExpiredData($0),
          verification: PostgresVerification($0))
      })
  }

  /// Registers a job that sends push notifications.
  ///
  /// The job's statements take effect only while the run's fencing token is valid. If `senders` is
  /// nil, the push services are read from the environment at the first run.
  static func register<J: EffectJob<PushDelivery>>(
    _ type: J.Type, senders: PushSenders? = nil
  ) -> RegisteredJob {
    RegisteredJob(type) { PushDelivery($0, [.ofNotifications], senders: senders ?? .ofEnvironment) }
  }
}
