import BatonPostgres
import TestSupport

/// The schema of the program `released`, which any release of the program may use.
struct Released: Sendable {
  private let test: TestSchema

  /// Runs `body` in a new database without a schema of the program.
  static func with(_ body: (Released) async throws -> Void) async throws {
    try await TestSchema.with { test in try await body(Released(test: test)) }
  }

  /// Returns a release of the program.
  ///
  /// - Parameters:
  ///   - content: the release whose definitions and functions the program has. The default is its
  ///     own release.
  ///   - migrations: the number of migrations. The default is the number in its definitions.
  ///   - names: the name of the job of release 2 and its earlier names. The default is
  ///     `tally-items`.
  ///   - greets: whether the program has the jobs whose payloads differ between the releases.
  func program(
    _ release: Int, content: Int? = nil, migrations: Int? = nil, names: [String]? = nil,
    greets: Bool = false
  ) -> BatonProgram {
    var environment = [
      "DATABASE_URL": test.configuration.address, "RELEASED_RELEASE": "\(release)",
    ]
    environment["RELEASED_CONTENT"] = content.map { "\($0)" }
    environment["RELEASED_MIGRATIONS"] = migrations.map { "\($0)" }
    environment["RELEASED_NAMES"] = names?.joined(separator: ",")
    if greets { environment["RELEASED_GREETS"] = "1" }
    let path = try? BatonProgram.path(of: "ReleasedProgram")
    return BatonProgram(executable: path ?? "/nowhere", environment: environment)
  }

  /// Runs one statement in the program's schema.
  @discardableResult
  func sql(_ text: String) async throws -> [String] {
    let connection = try await test.connect()
    let result = try await connection.sql(text, in: Self.schema)
    await connection.close()
    return result
  }

  /// Returns the stored definitions, limits, schedules, triggers and functions, which show the
  /// release.
  func stored() async throws -> [String] {
    try await sql(
      """
      select concat_ws(e'\\t', j.batch, s.expression,
        coalesce('limit ' || l.concurrency, 'no limit'), array_to_string(t.operations, ','), item_release())
      from job j
      join schedule s on s.job = j.name
      left join job_limit l on l.job = j.name
      join table_trigger t on t.job = j.name
      where j.name = 'tally-items'
      """
    ).flatMap { $0.replacing("\"", with: "").split(separator: "\t").map(String.init) }
  }

  /// Returns everything that a program writes at its start or in a migration, with the writing
  /// transactions.
  func digest() async throws -> [String] {
    try await sql(
      """
      select 'job', name, xmin::text from job
      union all select 'limit', job, xmin::text from job_limit
      union all select 'schedule', job, xmin::text from schedule
      union all select 'trigger', name, xmin::text from table_trigger
      union all select 'release', program, xmin::text from program_release
      union all select 'migration', name, xmin::text from migration
      union all select 'object', name, xmin::text from schema_object
      union all select 'function', p.oid::regprocedure::text, p.xmin::text from pg_proc p
      where p.pronamespace = current_schema()::regnamespace
      union all select 'trigger', tgname, t.xmin::text from pg_trigger t join pg_class c on c.oid = tgrelid
      where c.relnamespace = current_schema()::regnamespace and not tgisinternal
      order by 1, 2
      """)
  }

  /// Returns a transaction of the test with the locks of a statement.
  func lock(_ statement: String) async throws -> Lock {
    let connection = try await test.connect()
    try await connection.script(
      Statement("test/lock", "begin; set local search_path to \(Self.schema.name); \(statement)"))
    return Lock(connection: connection, released: self)
  }

  static let schema: Schema = {
    guard let schema = Schema("released") else { preconditionFailure("it is a schema's name") }
    return schema
  }()

  /// An open transaction.
  struct Lock: Sendable {
    let connection: Connection
    let released: Released

    /// Waits until another session waits for a lock of this database.
    func waits() async throws {
      try await eventually("a session that waits") {
        try await released.sql(
          """
          select count(*) > 0 from pg_stat_activity
          where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0
          """) == ["t"]
      }
    }

    /// Runs one statement, commits and ends.
    func commit(_ text: String) async throws {
      try await connection.script(Statement("test/commit", "\(text); commit"))
      await connection.close()
    }
  }
}
