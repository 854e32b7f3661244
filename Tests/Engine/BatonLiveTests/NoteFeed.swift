import BatonLive
import BatonPostgres
import Synchronization
import TestSupport

/// The feed of the tests: notes that all users may read, except for barred users.
///
/// Observers get a line: the note's text with the observer's name, `late`, or `barred`.
struct NoteFeed: LiveFeed {
  /// How often the hub looked for changes and read topics.
  final class Calls: Sendable {
    private let counts = Mutex((looks: 0, reads: 0))

    var looks: Int { counts.withLock(\.looks) }
    var reads: Int { counts.withLock(\.reads) }
    func poll() { counts.withLock { $0.looks += 1 } }
    func read() { counts.withLock { $0.reads += 1 } }
  }

  var name = "notes"
  /// Whether publishers name the topics of notes.
  var isKeyed = false
  let late = "late"
  let calls = Calls()

  func failure(_ error: any Error) -> String {
    "failed with \((error as? PostgresError)?.sqlState.code ?? "\(error)")"
  }

  func key(of topic: String, at version: Int64) -> String? { isKeyed ? topic : nil }

  func listChanged(
    _ known: [(topic: String, version: Int64?)], on session: Session
  ) async throws -> [String] {
    calls.poll()
    let list = Call.rows(
      Statement(
        "test/changed",
        """
        select o.topic from unnest($1::text[], $2::bigint[]) o (topic, version)
        where o.version is distinct from (
            select case when checked(n.body, 'look') is not null then n.version end
            from note n where n.topic = o.topic)
          or o.version is null
        """), known.map(\.topic), known.map(\.version)
    ) { (row) throws(PostgresError) in try row.decode(String.self) }
    return try await session.atomically(list)
  }

  func read(
    _ topics: [String], for viewers: [(topic: String, viewer: String)], on session: Session
  ) async throws -> LiveReading<Self> {
    calls.read()
    let read = Call.rows(
      Statement(
        "test/read",
        """
        select topic, version, checked(body, 'read') from note
        where topic = any ($1) and body <> 'unreadable'
        """),
      topics
    ) { (row) throws(PostgresError) in try row.decode(String.self, Int64.self, String.self) }
    let list = Call.rows(
      Statement(
        "test/barred",
        """
        select v.number from unnest($1::text[]) with ordinality v (viewer, number)
        where exists (select from barred b where b.viewer = v.viewer)
        """), viewers.map(\.viewer)
    ) { (row) throws(PostgresError) in try row.decode(Int64.self) }
    let (notes, barred): ([(String, Int64, String)], [Int64]) = try await session.atomically(
      read, list)
    var reading = LiveReading<Self>()
    // The feed itself waits, and its connection is idle.
    if notes.contains(where: { $0.2 == "feed hangs" }) {
      try await Task.sleep(for: .seconds(3_600))
    }
    for (topic, version, body) in notes {
      reading.topics[topic] = (version: version, snapshot: body)
    }
    for number in barred { reading.refusals[Int(number) - 1] = "barred" }
    return reading
  }

  func element(of snapshot: String, for viewer: String) -> String { "\(snapshot) for \(viewer)" }
}

/// A counter that several tasks can use.
final class Counter: Sendable {
  private let number = Mutex(0)

  var count: Int { number.withLock { $0 } }
  func add() { number.withLock { $0 += 1 } }
}

/// Notes in the test's own database, and a hub that observes the notes.
struct Notes: Sendable {
  let test: TestSchema
  let writer: Connection
  let feed: NoteFeed
  let hub: LiveHub
  let channel: LiveChannel<NoteFeed>

  static func with(
    _ options: LiveOptions = .patient, notes: Int = 1, isKeyed: Bool = false,
    _ body: (Notes) async throws -> Void
  ) async throws {
    try await TestSchema.with { test in
      let notes = try await Notes(test, options, notes: notes, isKeyed: isKeyed)
      let result: Result<Void, any Error>
      do { result = .success(try await body(notes)) } catch { result = .failure(error) }
      notes.hub.close()
      await notes.writer.close()
      try result.get()
    }
  }

  private init(
    _ test: TestSchema, _ options: LiveOptions, notes: Int, isKeyed: Bool
  ) async throws {
    self.test = test
    feed = NoteFeed(isKeyed: isKeyed)
    writer = try await test.connect()
    hub = LiveHub(
      ConnectionConfiguration(
        address: test.configuration.address, applicationName: "hub of \(test.name)"),
      in: test.schema, options: options)
    channel = hub.channel(for: feed)
    try await test.sql(
      "create table note (topic text primary key, version bigint not null, body text not null)")
    // Reading a note `read 22012` raises this error, and reading a note `read hangs` does not end. The notes
    // `look 22012` and `look hangs` do the same if the feed looks for changes.
    try await test.sql(
      """
      create function checked(body text, at text) returns text language plpgsql as $$
      begin
        if body = at || ' hangs' then perform pg_sleep(3600); end if;
        if body like at || ' _____' then
          raise exception using errcode = right(body, 5), message = 'of the test';
        end if;
        return body;
      end $$
      """)
    try await test.sql("create table barred (viewer text primary key)")
    try await test.sql(
      "insert into note select 'n' || n, 1, 'one' from generate_series(1, \(notes)) n")
  }

  /// Changes notes like a publisher, or without a wake-up if `isTold` is false.
  func write(_ body: String, where condition: String = "true", isTold: Bool = true) async throws {
    try await run(
      """
      with written as (
        update note set body = '\(body)', version = version + 1 where \(condition) returning 1)
      select case when \(isTold) and exists (select from written) then wake_observers('notes') end
      """)
  }

  /// Reads the streams of the first notes to the end, with one viewer per note.
  func follow(_ count: Int) -> (lines: [Lines], reading: [Task<Void, Never>]) {
    let lines = (0..<count).map { _ in Lines() }
    let reading = lines.enumerated().map { number, lines in
      Task {
        for await line in channel.observe("n\(number + 1)", as: "v") { lines.add(line) }
        lines.add("end")
      }
    }
    return (lines, reading)
  }

  /// Runs a statement and ignores its result.
  func run(_ text: String) async throws {
    try await writer.atomically(
      in: test.schema, .run(Statement("test/\(Array(text.utf8).hashValue)", text)))
  }

  /// Returns the number of the hub's sessions, as listed by the server.
  func sessions() async throws -> Int {
    try await test.sql(
      "select pid from pg_stat_activity where application_name = 'hub of \(test.name)'"
    ).count
  }

  /// Returns the number of locks in this database that show publishers that a hub exists.
  func locks() async throws -> Int {
    try await test.sql(
      """
      select mode from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())
      """
    ).count
  }

  /// Returns a session that receives the messages of a feed's publishers without being a hub.
  func spy(on feed: String = "notes") async throws -> Connection {
    let spy = try await test.connect()
    try await spy.atomically(
      in: test.schema,
      .run(
        Statement(
          "test/spy",
          """
          create or replace function spy_on(feed text) returns void language plpgsql as $$
          begin execute format('listen %I', observer_channel(feed)); end $$
          """)))
    try await spy.atomically(
      in: test.schema, .run(Statement("test/listen", "select spy_on($1)"), feed))
    return spy
  }
}

extension LiveOptions {
  /// With these options, the hub looks for changes only after a wake-up or for a new observer.
  static var patient: LiveOptions {
    var options = LiveOptions()
    (options.poll, options.pollAlone) = (.seconds(3_600), .milliseconds(10))
    options.check = .seconds(4 * 3_600)
    options.linger = .milliseconds(50)
    // A busy machine can stop for longer than the default of 2 s, and the topic would be late.
    options.timeout = .seconds(120)
    return options
  }

  /// With these options, the hub often looks for changes without a wake-up.
  static var quick: LiveOptions {
    var options = patient
    (options.poll, options.check) = (.milliseconds(10), .milliseconds(40))
    return options
  }
}

extension Connection {
  /// Returns the messages of transactions that have ended.
  func hears() async throws -> [String] {
    // The server sends the result after all messages that it already had for this session.
    try await sql("select 1", in: .standard)
    return try await hear(until: .now)
  }
}
