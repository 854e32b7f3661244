import Baton
import Foundation
import Testing

/// Tests the end of a process, at which handlers of libraries would run while threads are ending.
@Suite struct ProcessEndTests {
  @Test func `a command ends with what was printed, and with nothing that waits for an exit`()
    async throws
  {
    let ended = await #expect(
      processExitsWith: .exitCode(75), observing: [\.standardOutputContent]
    ) {
      atexit { _exit(99) }
      Swift.print("printed", terminator: "")
      ProcessEnd.end(75)
    }
    let output = String(decoding: try #require(ended).standardOutputContent, as: UTF8.self)
    #expect(output.hasSuffix("printed"))
  }
}
