import Foundation
import Presence
import ProductHTTP
import Testing

@testable import PresenceHTTP

/// Tests which error a response of the API becomes.
@Suite struct HTTPErrorTests {
  private func error(_ status: Int, _ body: String) -> AppError {
    AppError(http: APIFailure(status: status, body: Data(body.utf8)))
  }

  @Test func `a response becomes the error of its code, of its SQLSTATE or of its status`() {
    for refusal in AppError.refusals {
      #expect(error(400, #"{"code":"\#(refusal.code)"}"#).code == refusal.code)
      let state = refusal.sqlState ?? ""
      #expect(error(400, #"{"code":"newCode","sqlState":"\#(state)"}"#).code == refusal.code)
    }
    #expect(
      error(429, #"{"code":"rateLimited","seconds":"1.5","sqlState":"ZW013"}"#)
        == .rateLimited(retryAfter: .milliseconds(1_500)))
    #expect(
      error(422, #"{"code":"invalidInput","error":"No.","where":"the body"}"#)
        == .invalidInput("No. the body"))
    #expect(error(429, #"{"code":"networkUnavailable"}"#) == .networkUnavailable)
    for status in [408, 502, 503, 504] { #expect(error(status, "<html>") == .networkUnavailable) }
    for status in [301, 404, 500] {
      #expect(error(status, #"{"code":"internalError"}"#).code == "serverError")
    }
  }

  @Test func `a lost connection is no network, and a response that nothing can read is a fault`() {
    #expect(AppError(http: CancellationError()) == .networkUnavailable)
    let unreadable = DecodingError.valueNotFound(
      Int.self, .init(codingPath: [], debugDescription: "no number"))
    #expect(AppError(http: unreadable).code == "serverError")
    #expect(AppError(http: AppError.groupFull) == .groupFull)
  }
}
