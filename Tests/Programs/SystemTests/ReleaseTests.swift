import Foundation
import TestSupport
import Testing

/// Tests two releases of one program with one schema: a rolling deployment and a rollback.
@Suite(.timeLimit(.minutes(5))) struct ReleaseTests {
  // MARK: Definitions

  @Test(.sampled())
  func `an older program that starts or migrates changes nothing of a newer release`()
    async throws
  {
    try await Released.with { released in
      try await released.program(1).succeed("migrate")
      #expect(try await released.stored() == ["10", "0 3 * * *", "no limit", "insert", "1"])
      try await released.program(2).succeed("migrate")
      let newer = ["5", "0 4 * * *", "limit 5", "insert,update", "2"]
      #expect(try await released.stored() == newer)
      let before = try await released.digest()

      let migrated = try await released.program(1).succeed("migrate")
      #expect(
        migrated
          == "schema released: nothing to do for release 1 of released, because release 2 is current\n"
      )
      let plan = try await released.program(1).succeed("migrate", "--plan")
      #expect(plan.hasPrefix("-- nothing to do for release 1 of released"))
      let worker = try await released.program(1).run("worker", "--until-idle")
      #expect(worker.status == 0, "\(worker.errors)")
      try await released.program(1).succeed("run", "tally-items")
      try await released.program(1).succeed("check")
      #expect(try await released.digest() == before)
      #expect(try await released.stored() == newer)
    }
  }

  @Test(.sampled())
  func `of programs that start at the same time, the highest release is left`() async throws {
    try await Released.with { released in
      try await released.program(2).succeed("migrate")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for release in [1, 2, 1, 2, 1] {
          group.addTask { try await released.program(release).succeed("worker", "--until-idle") }
          group.addTask { try await released.program(release).succeed("migrate") }
        }
        try await group.waitForAll()
      }
      #expect(try await released.stored() == ["5", "0 4 * * *", "limit 5", "insert,update", "2"])
    }
  }

  @Test(.sampled())
  func `a start waits for another start, and the newer one of them decides`() async throws {
    try await Released.with { released in
      try await released.program(1).succeed("migrate")
      try await released.program(2).succeed("migrate")
      try await released.sql("update program_release set release = 1")
      let lock = try await released.lock("select from program_release for update")
      let older = try released.program(1).start("worker", "--until-idle")
      try await lock.waits()
      // The newer release commits first, and the older release reads its row afterwards.
      try await lock.commit("update program_release set release = 2")
      try await older.end(with: 0)
      #expect(try await released.stored().first == "5")
    }
  }

  @Test(.sampled())
  func `doctor of an older release compares nothing with the definitions of a newer release`()
    async throws
  {
    try await Released.with { released in
      for release in [1, 2] { try await released.program(release).succeed("migrate") }
      for release in [1, 2] {
        let ended = try await released.program(release).run("doctor", "--json")
        // Other findings, such as that fsync is off, are critical too.
        #expect([0, 1, 2].contains(ended.status), "\(ended)")
        #expect(!ended.output.contains("table job and the triggers"), "\(ended.output)")
        #expect(!ended.output.contains("Builds of release"), "\(ended.output)")
      }
    }
  }

  // MARK: Compatible and other migrations

  @Test(.sampled())
  func `an older worker that runs or starts is ready beside the newer schema`() async throws {
    #if HTTP
      try await Released.with { released in
        try await released.program(1).succeed("migrate")
        let folder = try TemporaryFolder()
        let socket = folder.path + "/http"
        let running = try released.program(1).start("worker", "--http", "unix:\(socket)")
        defer { running.signal(SIGKILL) }
        let client = HTTPClient(socket: socket)
        try await eventually("a ready worker") {
          (try? await client.get("/health/ready").status) == 200
        }
        try await released.program(2).succeed("migrate")
        // The checks of the schema are repeated after 5 s. A busy machine may respond late.
        let end = ContinuousClock.now + .seconds(7)
        while .now < end {
          let answer = try await client.get("/health/ready").body
          #expect(!answer.contains("newer") && !answer.contains("differs"), "\(answer)")
          try await Task.sleep(for: .milliseconds(200))
        }
        try await eventually("a ready worker on the newer schema") {
          try await client.get("/health/ready").status == 200
        }
        try await eventually("the metrics") {
          try await client.get("/metrics").body.contains("\nbaton_ready 1\n")
        }
        try await eventually("the dashboard") { try await client.get("/").status == 200 }

        let second = folder.path + "/second"
        let started = try released.program(1).start("worker", "--http", "unix:\(second)")
        defer { started.signal(SIGKILL) }
        try await eventually("a ready worker that started later") {
          (try? await HTTPClient(socket: second).get("/health/ready").status) == 200
        }
        #expect(
          started.errorsSoFar.contains("release 2 of released is current: release 1 works with"))
        try await eventually("the workers in the status") {
          try await released.program(2).run("status").output.contains(
            "2 workers (2 of release 1); ")
        }
        // Older releases are not compatible with this migration, and their error names the release
        // that they need.
        try await released.program(3, migrations: 3).succeed("migrate")
        try await eventually("an older worker that is not ready") {
          (try? await client.get("/health/ready").status) == 503
        }
      }
    #endif
  }

  @Test(.sampled())
  func `a migration that older releases cannot ignore ends them with the release they need`()
    async throws
  {
    try await Released.with { released in
      try await released.program(1).succeed("migrate")
      let plan = try await released.program(3, migrations: 3).succeed("migrate", "--plan")
      #expect(
        plan.contains(
          "-- migrations/0002_add_notes\n-- releases without this migration continue to work\n"))
      #expect(
        plan.contains("-- migrations/0003_count_items\n-- releases without this migration stop\n"))
      try await released.program(3, migrations: 3).succeed("migrate")
      for command in [
        ["worker", "--until-idle"], ["migrate"], ["migrate", "--take-over"], ["check"],
      ] {
        expectComplaint(
          try await released.program(2).start(command).wait(), status: 78,
          what: "migration released/0003_count_items, which needs release 3 of released.",
          place: "schema released", next: "Install release 3 of released or a newer released")
      }
      #expect(
        try await released.sql(
          "select name, program, release, is_compatible from migration where part = 'released' order by 1"
        ) == [
          "0001_create_items,released,1,t", "0002_add_notes,released,3,t",
          "0003_count_items,released,3,f",
        ])
    }
  }

  @Test(.sampled()) func `records of migrations that name no release stop older programs`()
    async throws
  {
    try await Released.with { released in
      try await released.program(1).succeed("migrate")
      try await released.program(2).succeed("migrate")
      // The state is as written by programs that did not know releases.
      try await released.sql("drop table program_release")
      for column in ["program", "release", "is_compatible"] {
        try await released.sql("alter table migration drop column \(column)")
      }
      try await released.sql(
        "delete from migration where part = 'runner' and name = '0019_record_releases'")
      try await released.sql("drop view job_release")
      for column in ["program", "release", "fingerprint"] {
        try await released.sql("alter table worker drop column \(column)")
      }
      expectComplaint(
        try await released.program(1).run("check"), status: 78,
        what: "it does not know migration released/0002_add_notes.",
        next: "Install the newer released")
      try await released.program(2).succeed("migrate")
      try await released.program(2).succeed("check")
      #expect(
        try await released.sql("select program, release from program_release") == ["released,2"])
    }
  }

  // MARK: Rollback

  @Test(.sampled()) func `a rollback with take-over stays, and a higher release ends it`()
    async throws
  {
    try await Released.with { released in
      try await released.program(1).succeed("migrate")
      try await released.program(2).succeed("migrate")
      let text = try await released.program(1).succeed("migrate", "--take-over")
      #expect(text.contains("release 1 of released has replaced release 2\n"))
      let older = ["10", "0 3 * * *", "no limit", "insert", "1"]
      #expect(try await released.stored() == older)
      #expect(
        try await released.sql(
          """
          select subject ->> 'take_over', before ->> 'release', after ->> 'release' from audit
          where subject ? 'take_over'
          """) == ["released,2,1"])
      try await released.program(1).succeed("check")

      // The processes of the replaced release end, and change nothing, however often they start.
      #expect(
        try await released.program(2).succeed("migrate").hasSuffix(
          "nothing to do for release 2 of released, because it was rolled back to release 1\n"))
      expectComplaint(
        try await released.program(2).run("worker", "--until-idle"), status: 78,
        what: "lacks changes of release 2 of released, because release 1 is current",
        next: "Deploy a release above 2, or run `released migrate --take-over`")
      #expect(try await released.stored() == older)
      #expect(
        try await released.program(1).succeed("migrate", "--take-over")
          == "schema released: nothing to do\n")
      try await released.program(3, content: 2).succeed("migrate")
      #expect(try await released.stored() == ["5", "0 4 * * *", "limit 5", "insert,update", "2"])
      #expect(
        try await released.sql("select count(*) from audit where subject ? 'take_over'") == ["1"])
    }
  }

  @Test(.sampled()) func `the release that was rolled back can take over again`()
    async throws
  {
    try await Released.with { released in
      for release in [1, 2] { try await released.program(release).succeed("migrate") }
      for release in [1, 2] {
        try await released.program(release).succeed("migrate", "--take-over")
        let worker = try await released.program(release).run("worker", "--until-idle")
        #expect(worker.status == 0, "\(worker.errors)")
        #expect(try await released.stored().last == "\(release)")
      }
    }
  }

  // MARK: Equal releases

  @Test(.sampled()) func `check finds two builds with one release, from either side`()
    async throws
  {
    try await Released.with { released in
      let (one, other) = (released.program(2), released.program(2, content: 1, migrations: 2))
      try await one.succeed("migrate")
      try await one.succeed("check")
      let what = "Builds of release 2 of released have different definitions: the last one"
      expectComplaint(
        try await other.run("check"), status: 78, what: what, place: "table program_release",
        next: "its own number")
      let object = try await other.run("check", "--json")
      #expect(object.status == 78 && object.output.contains(what), "\(object)")
      let doctor = try await other.run("doctor", "--json")
      #expect(doctor.status == 2 && doctor.output.contains(what), "\(doctor)")
      let worker = try one.start("worker")
      defer { worker.signal(SIGKILL) }
      try await eventually("the worker") {
        try await released.sql("select release from worker") == ["2"]
      }
      try await other.succeed("migrate")
      for build in [one, other] {
        let ended = try await build.run("check")
        #expect(ended.status == 78 && ended.errors.contains("release 2 of released"))
      }
      expectComplaint(
        try await other.run("check"), status: 78, what: "definitions: the 1 worker and",
        place: "table worker", next: "its own number")
    }
  }
}
