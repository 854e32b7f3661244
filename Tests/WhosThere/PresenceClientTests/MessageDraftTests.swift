import Foundation
import Presence
import TestDice
import Testing

/// Tests which messages can be sent, and how soon.
@Suite struct MessageDraftTests {
  private static func checked(_ text: String) -> Result<String, AppError> {
    do throws(AppError) {
      return .success(try MessageDraft(groupId: "g1", text: text).checked().text)
    } catch {
      return .failure(error)
    }
  }

  @Test func `a message is trimmed, and keeps what is inside of it`() {
    #expect(Self.checked(" \n\tHello,\n  you \u{a0}\u{3000}") == .success("Hello,\n  you"))
    #expect(Self.checked("x") == .success("x"))
    // If a space precedes an accent, the accent remains a separate character.
    #expect(Self.checked(" \u{301}a") == .success("\u{301}a"))
  }

  @Test(arguments: ["", " ", "\n\t\r\n", "\u{a0}\u{2003}\u{3000}\u{2028}"])
  func `blanks alone are no message`(text: String) {
    #expect(Self.checked(text) == .failure(.messageEmpty))
  }

  @Test func `a message has a thousand characters as the database counts them`() {
    let long = String(repeating: "é", count: 1_000)
    #expect(Self.checked("  \(long)  ") == .success(long))
    #expect(Self.checked(long + "x") == .failure(.messageTooLong))
    // For users this is one character, and for the database seven.
    let family = "👨‍👩‍👧‍👦"
    #expect(family.count == 1 && MessageDraft(groupId: "g1", text: family).remaining == 993)
    #expect(MessageDraft(groupId: "g1", text: long + "xy").remaining == -2)
    #expect(Self.checked(String(repeating: family, count: 143)) == .failure(.messageTooLong))
    #expect(Self.checked("a\u{0}b") == .failure(.invalidInput("a message has no character 0")))
  }

  @Test func `a draft that is no message costs no token`() throws {
    var limiter = RateLimiter()
    var draft = MessageDraft(id: Sample.id(1), groupId: "g1", text: " ")
    #expect(throws: AppError.messageEmpty) {
      try draft.checked(at: Sample.instant, limiter: &limiter)
    }
    #expect(!draft.canBeSent && limiter.tokens(at: Sample.instant) == 5)
    draft.text = " Hello "
    #expect(draft.canBeSent)
    let checked = try draft.checked(at: Sample.instant, limiter: &limiter)
    #expect(checked == MessageDraft(id: Sample.id(1), groupId: "g1", text: "Hello"))
    #expect(limiter.tokens(at: Sample.instant) == 4)
  }
}

/// Five messages at once, and one more every two seconds.
@Suite struct RateLimiterTests {
  @Test func `a full bucket has five, and one comes back each two seconds`() throws {
    var limiter = RateLimiter()
    for left in (0..<5).reversed() {
      try limiter.take(at: Sample.instant)
      #expect(limiter.tokens(at: Sample.instant) == left)
    }
    for (seconds, pause) in [(0.0, 2_000), (0.5, 1_500), (1.999, 1)] {
      #expect(throws: AppError.rateLimited(retryAfter: .milliseconds(pause))) {
        try limiter.take(at: Sample.at(seconds))
      }
    }
    try limiter.take(at: Sample.at(2))
    #expect(limiter.tokens(at: Sample.at(2)) == 0)
    #expect(limiter.tokens(at: Sample.at(5.9)) == 1 && limiter.tokens(at: Sample.at(6)) == 2)
    #expect(limiter.tokens(at: Sample.at(1_000)) == 5)
  }

  @Test func `a clock that is put back makes nobody wait for it`() throws {
    var limiter = RateLimiter()
    for _ in 0..<5 { try limiter.take(at: Sample.at(86_400)) }
    #expect(limiter.tokens(at: Sample.instant) == 0)
    #expect(limiter.pause(at: Sample.instant) == .seconds(2))
  }

  @Test func `it is the bucket that counts tokens`() {
    var dice = Dice()
    for _ in 0..<100 {
      var limiter = RateLimiter()
      // In tenths of a second, so that the simple count has no rounding errors.
      var (tokens, last, now) = (50, 0, 0)
      for _ in 0..<60 {
        now += Int.random(in: 0...30, using: &dice)
        // A token has ten parts, and returns after twenty tenths of a second.
        let parts = min(100, tokens * 2 + now - last)
        let isFree = parts >= 20
        do throws(AppError) {
          try limiter.take(at: Sample.at(Double(now) / 10))
          #expect(isFree, "\(dice)")
        } catch {
          #expect(error == .rateLimited(retryAfter: .milliseconds((20 - parts) * 100)), "\(dice)")
          #expect(!isFree, "\(dice)")
        }
        guard isFree else { continue }
        (tokens, last) = (0, now - (parts - 20))
      }
    }
  }
}
