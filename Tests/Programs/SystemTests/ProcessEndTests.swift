import Baton
import Foundation
import Testing

/// What libraries do at the end of a process would meet threads that are ending too.
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
