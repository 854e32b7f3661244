import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests what a job or a command of a program prints with Swift's `print`.
@Suite(.timeLimit(.minutes(5))) struct PrintTests {
  /// Calls the body with the migrated program, next to a schema of the product.
  private func with(_ body: (BatonProgram, TestSchema) async throws -> Void) async throws {
    try await TestSchema.with { schema in
      let program = BatonProgram(
        executable: try BatonProgram.path(of: "PrintingProgram"),
        environment: ["DATABASE_URL": schema.configuration.address])
      try await program.succeed("migrate")
      try await body(program, schema)
    }
  }

  private func expectWorked(_ schema: TestSchema) async throws {
    try await eventually("the end of the run") {
      try await schema.sql(
        """
        select (select count(*) from printing.run) + (select count(*) from printing.unfolded_event)
        """) == ["0"]
    }
  }

  @Test(.sampled()) func `a line that a job prints arrives in a pipe while the worker runs`()
    async throws
  {
    try await with { program, schema in
      let folder = try TemporaryFolder()
      let path = "\(folder.path)/pipe"
      try #require(mkfifo(path, 0o600) == 0)
      let pipe = open(path, O_RDONLY | O_NONBLOCK)
      defer { close(pipe) }
      let worker = try program.start(bash: "exec \"$0\" \"$@\" > '\(path)'", ["worker"])
      try await program.succeed("enqueue", "print-key", "--key", "one")
      var read = [UInt8]()
      try await eventually("the line") {
        var room = [UInt8](repeating: 0, count: 100)
        let count = Glibc.read(pipe, &room, room.count)
        read += room[..<max(0, count)]
        return String(decoding: read, as: UTF8.self) == "key: one\n"
      }
      #expect(worker.isRunning)
      worker.signal(SIGTERM)
      try await worker.end(with: 0)
    }
  }

  @Test(.sampled()) func `a line that a job prints to a file is there after SIGKILL`() async throws
  {
    try await with { program, schema in
      let worker = try program.start("worker")
      try await program.succeed("enqueue", "print-key", "--key", "one")
      try await expectWorked(schema)
      worker.signal(SIGKILL)
      let ended = try await worker.wait()
      #expect(ended.status == 128 + SIGKILL)
      #expect(ended.output == "key: one\n")
    }
  }

  @Test(.sampled()) func `a job prints a field of its payload, as docs/guides/your-own.md shows`()
    async throws
  {
    let page = try ExampleProgram.text("docs/guides/your-own.md")
    try await with { program, _ in
      let payload = #"{"name": "Ann"}"#
      let enqueued = try await program.succeed("enqueue", "greet", "--payload", payload)
      #expect(enqueued == "greet: enqueued a run of its own as run 1\n")
      #expect(try await program.succeed("worker", "--until-idle") == "Hello, Ann!\n")
      let ended = try await program.succeed("runs", "wait", "1")
      #expect(ended == "run 1 ended  \"Hello, Ann!\"\n")
      for text in ["enqueue greet --payload '\(payload)' ", "# \(enqueued)", "# \(ended)"] {
        #expect(page.contains(text))
      }
      #expect(page.contains("prints the line `Hello, Ann!`"))
    }
  }

  @Test(.sampled())
  func `a printed line that cannot be written is an error, and a closed pipe is not`()
    async throws
  {
    try await with { program, schema in
      #expect(try await program.succeed("say", "a", "b") == "a\nb\n")
      for target in ["/dev/full", "&-"] {
        expectComplaint(
          try await program.run(bash: "exec \"$0\" \"$@\" >\(target)", ["say", "a", "b"]),
          status: 74, what: "A printed line could not be written.", place: "stdout",
          next: "Free disk space")
      }
      let unread = try await program.run(
        bash: #"exec 3> >(:); wait $!; exec "$0" "$@" >&3"#, ["say", "a", "b"])
      #expect(unread.status == 0 && unread.errors == "")
      // A worker does not stop because of an unread output.
      try await program.succeed("enqueue", "print-key", "--key", "one")
      let worker = try await program.run(
        bash: #"exec "$0" "$@" >/dev/full"#, ["worker", "--until-idle"])
      #expect(worker.status == 74, "\(worker.errors)")
      try await expectWorked(schema)
    }
  }

  @Test(arguments: [("complaint", 65), ("validation", 64)] as [(String, Int32)])
  func `a command that ends with an error writes its results before the error`(
    error: String, status: Int32
  ) async throws {
    let program = BatonProgram(executable: try BatonProgram.path(of: "PrintingProgram"))
    let ended = try await program.run("list", "3", "--error", error)
    #expect(ended.status == status && ended.errors.contains("The list is bad."), "\(ended)")
    #expect(ended.output == "0\n1\n2\n")
  }

  @Test(.enabled(if: Strace.isInstalled, "needs strace"))
  func `many results are written in few pieces`() async throws {
    let program = try BatonProgram.path(of: "PrintingProgram")
    let folder = try TemporaryFolder()
    let ended = try await TestProcess(
      "/usr/bin/strace",
      ["-f", "-qq", "-e", "trace=write", "-o", "\(folder.path)/calls", program, "list", "100000"],
      environment: BatonProgram.inherited, directory: "/"
    ).wait()
    #expect(ended.output.utf8.count == 588_890)
    let calls = try String(contentsOfFile: "\(folder.path)/calls", encoding: .utf8)
    let pieces = calls.matches(of: /write\(1,/).count
    #expect((1...20).contains(pieces), "\(pieces) pieces")
  }
}
