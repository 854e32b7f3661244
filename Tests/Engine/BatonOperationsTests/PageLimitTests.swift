import BatonPostgres
import Foundation
import Logging
import TestSupport
import Testing

@testable import Baton
@testable import BatonOperations
@testable import JobRunner

/// A page with one statement that takes ten seconds, executed in each way that pages support.
private struct SleepingPage: DashboardPage {
  enum Way: String, CaseIterable, Sendable {
    case atomically, transaction, alone, pipeline, observation, freely
  }

  let way: Way
  var name: String { way.rawValue }
  let title = "Sleeping"

  private static let sleep = Call<Void>.run(Statement("test/sleep", "select pg_sleep(10)"))

  func content(_ request: PageRequest, reading session: Session) async throws -> PageContent {
    switch way {
    case .atomically: try await session.atomically(Self.sleep)
    case .transaction: try await session.transaction { try await $0.run(Self.sleep) }
    case .alone: try await session.connection.run(Self.sleep)
    case .pipeline: try await session.connection.pipeline([Self.sleep, Self.sleep])
    case .observation: try await Queue(session).look(Self.sleep)
    case .freely: try await session.connection.atomically(in: session.schema, Self.sleep)
    }
    return PageContent("Slept") { tag("p", [:], "It slept for ten seconds.") }
  }
}

/// A page that tries to write.
private struct WritingPage: DashboardPage {
  let name = "writing"
  let title = "Writing"

  func content(_ request: PageRequest, reading session: Session) async throws -> PageContent {
    try await session.atomically(
      .run(Statement("test/write", "insert into tally (key) values ('page')")))
    return PageContent("Wrote") { tag("p", [:], "It wrote.") }
  }
}

/// The program of the pages.
///
/// Each page contains the program's name.
private enum Site: Application {
  static let name = "tally"
  static let abstract = "Counts."
  static let version = "1"
  static let jobs: [RegisteredJob] = []
  static let parts: [SchemaPart] = []
}

/// Calls the body with pages and feeds, whose statements the server limits regardless of their
/// code.
@Suite(.timeLimit(.minutes(5))) struct PageLimitTests {
  private func withHandlers(_ body: (RequestHandlers, TallyServer) async throws -> Void)
    async throws
  {
    Program.begin(Site.self)
    try await TallyServer.with { place in
      let settings = HTTPSettings(
        address: try #require(HTTPAddress("127.0.0.1:0")), hosts: ["localhost"], token: nil,
        users: nil, proxies: try TrustedProxies([]), isReadOnly: false)
      let pages: [any DashboardPage] = SleepingPage.Way.allCases.map { SleepingPage(way: $0) }
      let handlers = RequestHandlers(
        settings, about: TallyServer.subject(place.test), pages: pages + [WritingPage()],
        metrics: PrometheusMetrics(),
        logger: Logger(label: "handlers") { _ in SwiftLogNoOpLogHandler() })
      try await body(handlers, place)
      await handlers.close()
    }
  }

  /// Returns the response.
  ///
  /// Repeats the request if the whole page was too slow, because connecting can be slow on a busy
  /// machine.
  private func ask(_ path: String, of handlers: RequestHandlers) async -> Response {
    var response = await handlers.response(to: Request(path: path, hosts: ["localhost"]))
    for _ in 0..<9 where response.status == 503 && response.body.contains("in time") {
      response = await handlers.response(to: Request(path: path, hosts: ["localhost"]))
    }
    return response
  }

  @Test(.sampled(), arguments: SleepingPage.Way.allCases)
  fileprivate func `a page that sleeps is ended after two seconds and says so`(
    way: SleepingPage.Way
  ) async throws {
    try await withHandlers { handlers, _ in
      let response = await ask("/\(way.rawValue)", of: handlers)
      #expect(response.status == 503 && response.body.contains("Not seen"), "\(response.body)")
      // The limit is not the six seconds of the whole page, whose message differs.
      #expect(response.body.contains("longer than 2 s and was cancelled"), "\(response.body)")
      #expect(await ask("/schedules", of: handlers).status == 200)
    }
  }

  @Test(.sampled())
  func `the rest of the dashboard works while pages sleep on all connections`() async throws {
    try await withHandlers { handlers, _ in
      await withTaskGroup(of: Response.self) { group in
        for way in SleepingPage.Way.allCases.prefix(PageReader.most) {
          group.addTask { await ask("/\(way.rawValue)", of: handlers) }
        }
        // These requests wait for the sleeping pages, and continue when the first sleeping page is
        // ended.
        for path in ["/schedules", "/jobs", "/runs", "/api/dead"] {
          group.addTask { await ask(path, of: handlers) }
        }
        var statuses: [Int] = []
        for await response in group { statuses.append(response.status) }
        #expect(statuses.sorted() == [200, 200, 200, 200, 503, 503, 503, 503])
      }
    }
  }

  @Test func `a page that writes is refused, and nothing is written`() async throws {
    try await withHandlers { handlers, place in
      let response = await ask("/writing", of: handlers)
      #expect(response.status == 503 && response.body.contains("Not seen"), "\(response.body)")
      let rows = try await place.test.sql("select count(*) from tally")
      #expect(rows == ["0"])
    }
  }

  @Test(.sampled(), .bothWays)
  func `a feed has the same limit, and no other connection has it`() async throws {
    try await TallyServer.with { place in
      // A feed opens its connection with this configuration.
      let feed = try await Connection.open(TallyServer.subject(place.test).configuration)
      let sleep = Call<Void>.run(Statement("test/sleep", "select pg_sleep(10)"))
      await expectSQLState("57014") { try await feed.atomically(in: place.test.schema, sleep) }
      await expectSQLState("57014") { try await feed.run(sleep) }
      await expectSQLState("25006") {
        try await feed.run(
          .run(Statement("test/write", "insert into \(place.test.schema).tally (key) values ('x')"))
        )
      }
      let other = try await place.test.connect()
      let read = Call.row(
        Statement(
          "test/read",
          """
          select current_setting('statement_timeout') || ' ' || current_setting('transaction_read_only')
          """)
      ) { (row) throws(PostgresError) in try row.decode(String.self) }
      for _ in 0..<4 {
        #expect(try await other.run(read) == "0 off")
        #expect(try await feed.run(read) == "2s on")
      }
      // Each search for changes has a limit of five seconds, as before.
      let look = Queue(Session(feed, in: place.test.schema))
      #expect(try await look.look(read) == "2s on")
      #expect(try await Queue(Session(other, in: place.test.schema)).look(read) == "5s on")
      await feed.close()
      await other.close()
    }
  }
}
