import Foundation
import Presence
import PresenceApp
import Testing

/// Tests each error with its name, SQLSTATE and texts, and the conversion of other errors.
@Suite struct AppErrorTests {
  private struct Broken: Error {}

  private static let all =
    AppError.refusals + [
      .locationDenied, .locationUnavailable, .networkUnavailable,
      .serverError(underlying: Broken()),
    ]

  @Test func `codes and SQLSTATEs are these`() {
    let rows = Self.all.map { "\($0.code) \($0.sqlState ?? "-") \($0.isRetryable) \($0.shouldLog)" }
    #expect(
      rows == [
        "notAuthenticated ZW001 false false", "sessionExpired ZW002 false false",
        "groupNotFound ZW003 false false", "notAMember ZW004 false false",
        "notGroupAdmin ZW005 false false", "groupFull ZW006 false false",
        "alreadyAMember ZW007 false false", "inviteInvalid ZW008 false false",
        "inviteExpired ZW009 false false", "tooManyAttempts ZW010 false false",
        "messageEmpty ZW011 false false", "messageTooLong ZW012 false false",
        "rateLimited ZW013 true false", "invalidInput ZW014 false true",
        "conflictingRepeat ZW015 false true", "limitReached ZW016 false false",
        "locationDenied - false false",
        "locationUnavailable - false false", "networkUnavailable - true false",
        "serverError - false true",
      ])
  }

  @Test func `each error has four texts that no other has`() {
    var texts: [String] = []
    for error in Self.all {
      let own = [
        error.code, error.errorDescription ?? "", error.userMessage, error.recoverySuggestion ?? "",
      ]
      for text in own { #expect(text.contains { !$0.isWhitespace }, "\(error)") }
      // The texts for users are sentences, and contain no details of the program.
      for text in own.dropFirst() { #expect(text.hasSuffix(".") || text.hasSuffix(")"), "\(text)") }
      #expect(!error.userMessage.contains(error.code))
      texts += own
    }
    #expect(Set(texts).count == 4 * Self.all.count)
    #expect(Self.all.count == 20)
  }

  @Test func `an error of the system's says ours`() {
    let error: any Error = AppError.groupFull
    #expect(error.localizedDescription == AppError.groupFull.errorDescription)
  }

  @Test func `the database's refusals come back with what they say`() {
    for error in AppError.refusals {
      guard let state = error.sqlState else { continue }
      #expect(AppError(sqlState: state)?.code == error.code)
      #expect(AppError(sqlState: state, constraint: error.code)?.code == error.code)
      #expect(AppError(sqlState: state, constraint: "other") == nil)
    }
    #expect(
      AppError(sqlState: "ZW013", detail: "1.5") == .rateLimited(retryAfter: .milliseconds(1_500)))
    // The database sends microseconds, including values that a Double cannot represent.
    #expect(
      AppError(sqlState: "ZW013", detail: "1.244018")
        == .rateLimited(retryAfter: .microseconds(1_244_018)))
    for detail in [nil, "", "soon", "-1", "nan", "1e9"] {
      #expect(AppError(sqlState: "ZW013", detail: detail) == .rateLimited(retryAfter: .seconds(2)))
    }
    #expect(AppError(sqlState: "ZW014", detail: "radius") == .invalidInput("radius"))
    #expect(AppError(sqlState: "40001") == nil && AppError(sqlState: "ZG001") == nil)
  }

  @Test(arguments: [
    ("NSURLErrorDomain", -1_009, AppError.networkUnavailable),
    ("NSURLErrorDomain", -1_001, .networkUnavailable),
    ("NSPOSIXErrorDomain", Int(POSIXErrorCode.ECONNREFUSED.rawValue), .networkUnavailable),
    ("kCLErrorDomain", 0, .locationUnavailable), ("kCLErrorDomain", 1, .locationDenied),
    ("kCLErrorDomain", 2, .locationUnavailable),
  ])
  func `errors of the system are what they mean`(domain: String, code: Int, error: AppError) {
    #expect(AppError(NSError(domain: domain, code: code)) == error)
  }

  @Test func `any other error is the server's, and keeps what lies under it`() {
    for other: any Error in [
      Broken(), NSError(domain: "NSURLErrorDomain", code: -1_200),
      NSError(domain: "NSPOSIXErrorDomain", code: Int(POSIXErrorCode.ENOSPC.rawValue)),
    ] {
      let error = AppError(other)
      #expect(error.code == "serverError" && error.shouldLog && !error.isRetryable)
    }
    #expect(AppError(AppError.groupFull) == .groupFull)
    #expect(AppError(POSIXError(.ECONNRESET)) == .networkUnavailable)
    #expect(AppError(Broken()) == .serverError(underlying: Broken()))
    #expect(AppError(Broken()) != AppError(CancellationError()))
    // Leaving a view is not an error.
    #expect(!AppError(CancellationError()).shouldLog)
  }

  @Test func `a call comes to a result`() async {
    #expect(await AppResult.calling { 1 } == .success(1))
    #expect(
      await AppResult.calling { () throws -> Int in throw Broken() } == .failure(AppError(Broken()))
    )
    #expect(
      await AppResult.calling { () throws -> Int in throw AppError.groupFull }
        == .failure(.groupFull))
  }
}
