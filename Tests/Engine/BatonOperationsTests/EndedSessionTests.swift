import BatonPostgres
import Testing

@testable import Baton

/// Tests the message and the exit code of a command whose session the server has ended.
@Suite struct EndedSessionTests {
  @Test(arguments: ["57P01", "57P02", "57P05"])
  func `a command whose session the server has ended may be repeated`(code: String) {
    let complaint = Complaint(PostgresError(SQLState(code), "the session has ended"), at: nil)
    #expect(complaint.status == .tryAgain)
    #expect(complaint.next.contains("Run the command again"))
    #expect(complaint.next.contains("idle_session_timeout") == (code == "57P05"))
  }
}
