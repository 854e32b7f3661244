import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests `shop-floor dev` with the package that `gymrats init` created.
///
/// Each test has its own private server.
@Suite(.timeLimit(.minutes(5))) struct DevTests {
  /// The folder of a developer.
  private struct Desk {
    let folder: TemporaryFolder
    var shop: BatonProgram

    /// Returns the address of the folder's server, which must be running.
    func address() async throws -> String {
      let status = try await shop.succeed("db", "status")
      return String(try #require(status.firstMatch(of: /DATABASE_URL='(.+)'/)).output.1)
    }

    func sql(_ text: String) async throws -> [String] {
      let connection = try await Connection.open(
        ConnectionConfiguration(address: try await address()))
      let schema = try #require(Schema("shop_floor"))
      let rows = try await connection.sql(text, in: schema)
      await connection.close()
      return rows
    }

    /// Starts `dev`, and waits until it is ready.
    func develop() async throws -> TestProcess {
      let dev = try shop.start("dev")
      try await said("Ctrl-C ends it", by: dev)
      return dev
    }

    func said(_ text: String, by dev: TestProcess) async throws {
      do {
        try await eventually("'\(text)'") { dev.errorsSoFar.contains(text) || !dev.isRunning }
        guard dev.errorsSoFar.contains(text) else { throw TestFailure("dev has ended") }
      } catch {
        throw TestFailure("\(error): \(dev.errorsSoFar)")
      }
    }
  }

  private func atDesk(_ body: (Desk) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    defer { PrivateServerOfFolder(folder).destroy() }
    let program = try ExampleProgram.path(
      "shop-floor", in: ExampleProgram.initialized.appending(path: "built"))
    try await body(
      Desk(folder: folder, shop: BatonProgram(executable: program, folder: folder.path)))
  }

  /// Expects a complaint in the last three lines, and an unchanged server.
  private func expectRefusal(
    _ ended: TestProcess.Ended, status: Int32, what: String, place: String, next: String
  ) {
    let lines = ended.errors.split(separator: "\n").suffix(3).map(String.init)
    #expect(ended.status == status && ended.output == "" && lines.count == 3, "\(ended.errors)")
    for (line, text) in zip(lines, ["error: " + what, "where: " + place, "next:  " + next]) {
      #expect(line.contains(text), "\(line)")
    }
  }

  // MARK: A day of it

  @Test(.sampled())
  func `it makes the server and the schema, tells what is worked, and ends with all of it`()
    async throws
  {
    try await atDesk { desk in
      let dev = try await desk.develop()
      #expect(dev.errorsSoFar.contains("applied shopFloor/0001_create_parcels"))
      _ = try await desk.sql(
        "insert into parcel (product, address) select 'tea', 'Street ' || n from generate_series(1, 5) n"
      )
      try await desk.said("tell-warehouse 1, 2, 3 and 2 more: begin\n", by: dev)
      try await desk.said("tell-warehouse 1, 2, 3 and 2 more: end in ", by: dev)
      try await desk.said(" ms, picking 5 inserted\n", by: dev)
      _ = try await desk.sql("insert into recall values ('tea')")
      try await desk.said("5 parcels recalled, parcel 5 updated\n", by: dev)

      dev.signal(SIGINT)
      let ended = try await dev.wait()
      #expect(ended.status == 0 && ended.output == "", "\(ended.errors)")
      #expect(ended.errors.hasSuffix("the private server is stopped; its data stays in .baton/\n"))
      try await desk.shop.start("db", "status").end(with: 69)
    }
  }

  @Test(.sampled()) func `the clock is moved from beside it, and goes on from there another day`()
    async throws
  {
    try await atDesk { desk in
      let dev = try await desk.develop()
      #expect(try await desk.shop.succeed("dev", "clock").hasSuffix(", as the server's\n"))
      let said = try await desk.shop.succeed("dev", "clock", "+12h720m")
      let due = try #require(said.firstMatch(of: /due: count-days, first of (\S+)/))
      #expect(said.contains("1d later than the server's\n"))
      try await desk.said("count-days of \(due.output.1): end in ", by: dev)
      try await desk.shop.succeed("enqueue", "recall-product", "--key", "tea", "--in", "2h")
      try await eventually("the run that is due later") {
        try await desk.sql("select count(*) from run where key = 'tea'") == ["1"]
      }
      #expect(
        try await desk.shop.succeed("dev", "clock", "+3h").hasSuffix(
          "due: 1 run that was asked for later\n"))
      try await desk.said("recall-product tea: end in ", by: dev)
      dev.signal(SIGTERM)
      try await dev.end(with: 0)

      expectComplaint(
        try await desk.shop.run("dev", "clock"), status: 69, what: "not running", place: ".baton",
        next: "shop-floor dev")
      let next = try await desk.develop()
      #expect(next.errorsSoFar.contains("1d 3h later than the server's"))
      let later = Int(Date.now.timeIntervalSince1970) + 10 * 86_400
      let instant = Date(timeIntervalSince1970: Double(later)).formatted(.iso8601)
      #expect(try await desk.shop.succeed("dev", "clock", instant).hasPrefix(instant))
      for (move, what) in [
        ("2026-01-01", "never moves back"), ("+0s", "never moves back"),
        ("9999-12-31T12:00:00Z", "9999"),
        ("7d", "neither a span"), ("+7", "not a duration"), ("+7x", "not a duration"),
        ("+", "not a duration"), ("+99999999999999999999d", "not a duration"),
        ("tomorrow", "neither a span"),
      ] {
        expectComplaint(
          try await desk.shop.run("dev", "clock", move), status: 64, what: what, place: "MOVE")
      }
      next.signal(SIGTERM)
      try await next.end(with: 0)
    }
  }

  @Test(.sampled()) func `what fails is told with its error and when it is tried again`()
    async throws
  {
    try await atDesk { desk in
      let dev = try await desk.develop()
      _ = try await desk.sql("alter table picking rename to picked")
      _ = try await desk.sql("insert into parcel (product, address) values ('tea', 'Street 1')")
      try await desk.said("warning: tell-warehouse 1: not done, again in ", by: dev)
      try await desk.said("\"picking\" does not exist", by: dev)
      try await desk.said("tell-warehouse 1: failed in ", by: dev)
      try await desk.said("attempt 1 of 25, again in ", by: dev)
      _ = try await desk.sql("alter table picked rename to picking")
      try await desk.said(" ms, picking 1 inserted\n", by: dev)
      dev.signal(SIGINT)
      try await dev.end(with: 0)
    }
  }

  // MARK: A server that others have

  @Test(.sampled()) func `a server that was there, or that others use, goes on`() async throws {
    try await atDesk { desk in
      try await desk.shop.succeed("db", "up")
      let first = try await desk.develop()
      first.signal(SIGINT)
      let ended = try await first.wait()
      #expect(
        ended.status == 0 && ended.errors.hasSuffix("keeps running\n"), "\(ended.errors)")
      try await desk.shop.succeed("db", "status")

      try await desk.shop.succeed("db", "down")
      let second = try await desk.develop()
      let connection = try await Connection.open(
        ConnectionConfiguration(address: try await desk.address()))
      second.signal(SIGINT)
      let last = try await second.wait()
      #expect(
        last.status == 0 && last.errors.contains("keeps running: 1 other connection"),
        "\(last.errors)")
      try await desk.shop.succeed("db", "status")
      await connection.close()
    }
  }

  // MARK: What it leaves alone

  @Test(.sampled()) func `a schema that was used without it is refused, and stays as it was`()
    async throws
  {
    try await atDesk { desk in
      try await desk.shop.succeed("db", "up")
      try await desk.shop.succeed("migrate")
      expectComplaint(
        try await desk.shop.run("dev", "clock", "+1d"), status: 64,
        what: "not a development schema",
        place: "schema shop_floor", next: "shop-floor dev")
      _ = try await desk.sql("insert into parcel (product, address) values ('tea', 'Street 1')")
      expectRefusal(
        try await desk.shop.run("dev"), status: 64, what: "This schema is already used",
        place: "schema shop_floor",
        next: "Use a separate development schema: BATON_SCHEMA=shop_floor_dev")
      #expect(try await desk.sql("select count(*) from development") == ["0"])
      #expect(try await desk.sql("select count(*) from picking") == ["0"])

      // The way out that the complaint names.
      var other = desk
      other.shop.environment["BATON_SCHEMA"] = "shop_floor_dev"
      let dev = try await other.develop()
      #expect(dev.errorsSoFar.contains("schema shop_floor_dev"))
      dev.signal(SIGINT)
      try await dev.end(with: 0)

      _ = try await desk.sql("delete from event_0")
      _ = try await desk.sql("insert into development (clock) values (now())")
      expectRefusal(
        try await desk.shop.run("dev"), status: 64, what: "This schema's clock is frozen",
        place: "schema shop_floor", next: "Use a separate development schema")
    }
  }

  @Test(.sampled()) func `another database than the private server's is refused`() async throws {
    try await atDesk { desk in
      let other = try TestServer.address
      for (name, value) in [("DATABASE_URL", other), ("PGHOST", "/nowhere"), ("PGSERVICE", "app")] {
        var named = desk
        named.shop.environment[name] = value
        for command in [["dev"], ["dev", "clock"], ["dev", "clock", "+1d"]] {
          let isUp = command.count == 1
          let ended = try await named.shop.start(command).wait()
          if !isUp, name == "DATABASE_URL" {
            #expect(ended.status == 69, "\(ended.errors)")
          } else {
            expectComplaint(ended, status: 64, what: "A variable", place: name, next: "Unset")
          }
        }
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: desk.folder.path) == [])

      try await desk.shop.succeed("db", "up")
      var named = desk
      named.shop.environment["DATABASE_URL"] = other
      for command in [["dev"], ["dev", "clock", "+1d"]] {
        expectComplaint(
          try await named.shop.start(command).wait(), status: 64, what: "A variable selects",
          place: "DATABASE_URL", next: "only the private server")
      }
      // The address as printed by `db up`.
      named.shop.environment["DATABASE_URL"] = try await desk.address()
      let dev = try await named.develop()
      dev.signal(SIGINT)
      try await dev.end(with: 0)
      #expect(try await named.shop.succeed("dev", "clock").contains("as the server's"))
    }
  }
}
