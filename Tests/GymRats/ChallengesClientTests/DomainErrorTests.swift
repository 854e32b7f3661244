import Challenges
import Foundation
import Testing

/// Returns each refusal with its name, SQLSTATE and status.
@Suite struct DomainErrorTests {
  @Test func `codes, SQLSTATEs and statuses are these`() {
    let rows = DomainError.allCases.map { error in
      "\(error.code) \(error.sqlState ?? "-") \(error.status) \(error.isRetryable)"
    }
    #expect(
      rows == [
        "notAuthenticated ZG001 401 false", "alreadyInGroup ZG002 409 false",
        "groupNotFound ZG003 404 false", "groupFull ZG004 409 false",
        "notGroupAdmin ZG005 403 false", "challengeNotFound ZG006 404 false",
        "invalidChallengeType ZG007 422 false", "challengeExpired ZG008 410 false",
        "inviteInvalid ZG009 404 false", "tooManyAttempts ZG010 429 false",
        "notAMember ZG011 403 false", "invalidInput ZG012 422 false",
        "conflictingRepeat ZG013 409 false", "streakIsDerived ZG014 409 false",
        "limitReached ZG015 429 false", "networkUnavailable - 503 true",
      ])
  }

  @Test func `each one is found by its code and its SQLSTATE, with the group it names`() {
    for error in DomainError.allCases {
      #expect(DomainError(code: error.code) == error)
      if let state = error.sqlState { #expect(DomainError(sqlState: state) == error) }
    }
    #expect(DomainError(sqlState: "ZG002", detail: "g1") == .alreadyInGroup(groupId: "g1"))
    #expect(DomainError(sqlState: "ZG004", detail: "g1") == .groupFull)
    #expect(DomainError(sqlState: "40001") == nil)
    #expect(DomainError(code: "GroupFull") == nil)
  }

  @Test func `the wire carries the code, and the group`() throws {
    for error in DomainError.allCases + [.alreadyInGroup(groupId: "g1")] {
      let data = try WireFormat.data(of: error)
      #expect(try WireFormat.read(DomainError.self, from: data) == error)
    }
    let text = String(
      decoding: try WireFormat.data(of: DomainError.alreadyInGroup(groupId: "g1")), as: UTF8.self)
    #expect(text == #"{"code":"alreadyInGroup","groupId":"g1"}"#)
  }

  @Test func `the page for app developers lists each refusal as it is`() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../docs/gymrats/client.md").standardized
    let rows = try String(contentsOf: page, encoding: .utf8)
      .matches(of: /\| `(\w+)`[^|\n]* \| (ZG\d+|none) \| (\d+) \| (yes)? ?\|/)
      .map { "\($0.1) \($0.2) \($0.3) \($0.4 != nil)" }
    #expect(
      rows
        == DomainError.allCases.map {
          "\($0.code) \($0.sqlState ?? "none") \($0.status) \($0.isRetryable)"
        })
  }
}
