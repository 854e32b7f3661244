import Foundation
import TestSupport
import Testing

/// Tests a replay that is told to stop.
@Suite(.timeLimit(.minutes(5)))
struct StoppedReplayTests {
  @Test(.sampled(), arguments: Randomness.sample(1, of: [SIGINT, SIGTERM]))
  func `it takes its bar away, says how to go on, and goes on`(signal: Int32) async throws {
    let arguments = [
      "replay", CheckInData.year2024.path, "--from", "2024-01-01", "--to", "2024-01-04", "--step",
      "15m",
    ]
    try await TestSchema.with { schema in
      let terminal = try Terminal()
      let replay = try schema.gymrats.start(
        bash: #"exec "$0" "$@" 2> "#.appending(terminal.path), arguments)
      defer { replay.signal(SIGKILL) }
      try await eventually("the bar") { terminal.text.contains("lines, ") }
      replay.signal(signal)
      let ended = try await replay.wait(within: .seconds(30))
      #expect(ended.status == 75 && ended.output == "")
      let after = try #require(terminal.text.components(separatedBy: "\r\u{1B}[K").last)
      #expect(after.hasPrefix("error: The replay was stopped after "), "\(terminal.text)")
      #expect(after.contains("next:  The same command continues the replay"))
      // The stop leaves nothing that another worker must take over, unlike a crash.
      #expect(try await schema.sql("select count(*) from worker") == ["0"])
      #expect(try await schema.sql("select count(*) from run where state = 'running'") == ["0"])

      let rest = try await schema.gymrats.start(arguments).wait()
      #expect(rest.status == 0 && rest.output.contains(" done before"), "\(rest.errors)")
    }
  }
}
