import Foundation
import TestSupport
import Testing

/// Results that cannot be written: never an exit code of 0, and never a trap.
@Suite(.timeLimit(.minutes(5)))
struct OutputTests {
  /// Everything that prints a result; what comes first is there for those behind it.
  private static let commands = [
    ["migrate"], ["board", "--all", "--json"], ["board", "--all"], ["jobs"], ["jobs", "--json"],
    ["check"], ["schedule"], ["schedule", "next"], ["week"], ["notifications"], ["verify"],
    ["groups"], ["group", "g"], ["analytics"], ["explain-rank", "u1"],
    ["explain-rank", "u1", "--json"],
    ["runs"], ["runs", "history"], ["run", "retention"], ["run", "retention", "--dry-run"],
    ["enqueue", "retention", "--key", "scheduled"], ["jobs", "pause", "retention"], ["db", "down"],
    ["--help"], ["--version"], ["board", "--help"], ["--generate-completion-script", "bash"],
  ]

  @Test func `a full disk, a closed stdout and a closed pipe`() async throws {
    let folder = try TemporaryFolder()
    try await TestSchema.with { schema in
      let people = People(schema)
      try await people.join("u1", group: "g")
      #expect(try await people.record("u1", "w1") == "accepted")
      try await schema.baton.succeed("worker", "--until-idle")
      var baton = schema.baton
      baton.folder = folder.path
      for command in Self.commands {
        expectComplaint(
          try await baton.run(bash: #"exec "$0" "$@" > /dev/full"#, command), status: 74,
          what: "No space left on device", place: "stdout", next: "Make room")
        // Whatever is opened first would be stdout: here, the connection to the server.
        expectComplaint(
          try await baton.run(bash: #"exec "$0" "$@" >&-"#, command), status: 74,
          what: "Bad file descriptor", place: "stdout", next: "Make room")
        // The reader has gone before anything is written.
        let unread = try await baton.run(
          bash: #"exec 3> >(:); wait $!; exec "$0" "$@" >&3"#, command)
        #expect(unread.status == 0, "\(command): \(unread.errors)")
        #expect(unread.errors == "")
      }
    }
  }

  @Test func `a command that fails keeps its own status where nothing can be written`() async throws
  {
    let baton = BatonProgram(environment: ["DATABASE_URL": "postgresql://%zz"])
    for to in [">/dev/full", "2>/dev/full", "2>&-", ">&- 2>&- <&-", "2> >(:)"] {
      let ended = try await baton.run(bash: #"exec "$0" "$@" "# + to, ["jobs"])
      #expect(ended.status == 64, "\(to)")
    }
  }
}
