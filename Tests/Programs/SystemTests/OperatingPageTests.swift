import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests the files that docs/guides/deploying.md and docs/guides/operating.md tell operators to
/// install, without changes.
@Suite(.timeLimit(.minutes(5)))
struct OperatingPageTests {
  private let deploying: String
  private let operating: String

  init() throws {
    deploying = try Checkout.text("docs/guides/deploying.md")
    operating = try Checkout.text("docs/guides/operating.md")
  }

  /// Returns the lines of the block that begins with a comment about this file.
  private func block(_ file: String) throws -> [String] {
    let blocks = operating.components(separatedBy: "```").filter {
      $0.split(separator: "\n").dropFirst($0.hasPrefix("ini") ? 1 : 0).first?.hasPrefix("# \(file)")
        == true
    }
    return try #require(blocks.first).split(separator: "\n").map(String.init)
  }

  /// Returns a unit of the gymrats package.
  private static func unit(_ name: String) throws -> String {
    try ExampleProgram.text("Sources/Tools/Debian/\(name)").replacing("@PROGRAM@", with: "gymrats")
  }

  @Test func `the unit is tried again for ever, in the section where systemd reads that`() throws {
    let unit = try Self.unit("worker@.service")
    let lines = unit.split(separator: "\n")
    let section = lines.drop { $0 != "[Unit]" }.dropFirst().prefix { !$0.hasPrefix("[") }
    #expect(section.contains("StartLimitIntervalSec=0"))
    #expect(lines.contains("Restart=always"))
    // The page links to the unit, and repeats these settings.
    #expect(deploying.contains("(../../Sources/Tools/Debian/worker@.service)"))
    #expect(lines.contains("RestartSec=1") && deploying.contains("one second after any exit"))
    #expect(
      lines.contains("RestartPreventExitStatus=64 66 77 78")
        && deploying.contains("after exit codes 64, 66, 77 and 78"))
    #expect(
      lines.contains("MemoryMax=256M") && lines.contains("TimeoutStopSec=15")
        && deploying.contains("memory to 256 MB, and the time to stop a worker to 15 s"))
  }

  @Test func `the unit on the page repeats the settings of the package's unit`() throws {
    let blocks = deploying.components(separatedBy: "```").filter {
      $0.hasPrefix("ini\n# /etc/systemd/system/gymrats-worker@.service\n")
    }
    let lines = try #require(blocks.first).split(separator: "\n").dropFirst(2)
    let package = try Self.unit("worker@.service").split(separator: "\n")
    let own = lines.filter { !package.contains($0) }
    #expect(
      own == ["ExecStart=/usr/local/bin/gymrats --config /etc/gymrats/%i.conf worker"], "\(own)")
  }

  @Test func `every service of the package is as hardened as the worker's`() throws {
    let folder = ExampleProgram.root.appending(path: "Sources/Tools/Debian")
    let units = try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
      .filter { $0.hasSuffix(".service") }
    #expect(
      units == ["api@.service", "idle@.service", "serve@.service", "worker@.service"])
    let hardening = try units.map { name in
      try Self.unit(name).split(separator: "\n")
        .drop { !$0.hasPrefix("NoNewPrivileges=") }.prefix { !$0.hasPrefix("[") }
    }
    #expect(hardening[0].count > 20 && Set(hardening.map(Array.init)).count == 1)
    for name in units {
      let unit = try Self.unit(name)
      #expect(deploying.contains("`gymrats-\(name.replacing("@.service", with: "@NAME."))"))
      #expect(unit.contains("\nUser=gymrats\n") && unit.contains("--config /etc/gymrats/%i.conf"))
    }
  }

  @Test func `what a program is granted is enough to ask for runs, and for nothing else`()
    async throws
  {
    let start = try #require(deploying.firstRange(of: "```sql\ncreate role asker login;"))
    let grants = deploying[start.lowerBound...].dropFirst("```sql\n".count)
      .prefix(upTo: try #require(deploying[start.upperBound...].firstRange(of: "```")).lowerBound)
    try await TestSchema.with { test in
      let role = "asker_\(UInt64.random(in: .min ... .max))"
      let connection = try await test.connect()
      func run(_ call: String) async throws(PostgresError) {
        try await connection.script(
          Statement(
            "test/rights",
            """
            begin; set local search_path = \(test.schema), pg_temp;
            insert into job (name, quiet, at_most) values ('tidy', '0', '0') on conflict do nothing;
            \(grants.replacing("gymrats.", with: "\(test.schema).")
              .replacing("schema gymrats", with: "schema \(test.schema)")
              .replacing("asker", with: role))
            set local role \(role);
            select enqueue('tidy', 'k');
            select enqueue_many('tidy', '[{"key": "l"}]');
            \(call);
            reset role; drop owned by \(role); drop role \(role); commit;
            """))
      }
      try await run("select 1")
      #expect(
        try await test.sql("select topic || ':' || key from event order by key")
          == ["enqueue/tidy:k", "enqueue/tidy:l"])
      for refused in [
        "select from run", "select from event", "insert into job (name) values ('more')",
        "select append_events('entry.changed', '{k}')", "select record_workout('u', 'w')",
        "select domain_now()",
      ] {
        let error = await #expect(throws: PostgresError.self) { try await run(refused) }
        #expect(error?.sqlState == "42501", "\(refused): \(String(describing: error))")
        try await connection.script(Statement("test/rollback", "rollback"))
      }
      await connection.close()
    }
  }

  @Test(.sampled())
  func `the crontab holds no secret, and its commands work with the service file`()
    async throws
  {
    let crontab = try block("/etc/cron.d/gymrats")
    #expect(
      !crontab.contains { $0.contains("://") || $0.localizedCaseInsensitiveContains("password") })
    let variables = crontab.filter { !$0.hasPrefix("#") && !$0.contains(" ") }
      .map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    #expect(variables.map(\.first) == ["PGSERVICEFILE", "PGSERVICE"])
    #expect(operating.contains("install -m 600") && operating.contains(variables[0][1]))

    try await LoopbackLogin.make()
    let own = try [
      "host": "127.0.0.1\nport=\(TestServer.loopbackPort)", "dbname": "postgres",
      "user": LoopbackLogin.user, "password": LoopbackLogin.password,
    ]
    let service = try block(variables[0][1]).map { line in
      let name = String(line.prefix { $0 != "=" })
      return own[name].map { "\(name)=\($0)" } ?? line
    }
    let folder = try TemporaryFolder()
    let file = try folder.write("pg_service.conf", lines: service.filter { $0 != "ini" })
    #expect(chmod(file, 0o600) == 0)
    try await TestSchema.with { schema in
      let gymrats = BatonProgram(environment: [
        "BATON_SCHEMA": schema.schema.name, "PGSERVICEFILE": file, "PGSERVICE": variables[1][1],
      ])
      try await gymrats.succeed("migrate")
      let lines = crontab.filter { $0.contains("/usr/local/bin/gymrats") }
      #expect(lines.count >= 5)
      for line in lines {
        let words = line.split(separator: " ").map(String.init)
        #expect(words[5...6] == ["gymrats", "/usr/local/bin/gymrats"])
        let ended = try await gymrats.start(Array(words[7...])).wait()
        // The command prints nothing to stderr, because cron would send it as mail.
        #expect(ended.status == 0 && ended.errors == "", "\(line): \(ended.errors)")
      }
    }
  }
}
