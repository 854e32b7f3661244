import Challenges
import ChallengesApp
import Foundation
import TestDice
import Testing

/// Tests links into the app: reading is the inverse of building, and which screen an app opens for
/// a link.
@Suite struct DeepLinkTests {
  private func code(_ text: String) -> InviteCode? {
    guard case .groupInvite(let code)? = (try? DeepLink.parse(text))?.destination else {
      return nil
    }
    return code
  }

  @Test(arguments: [
    "fittoday://group/invite/abc123", "FitToday://group/invite/abc123",
    "fittoday://group/invite/abc123/", "fittoday://group/invite/abc123?from=chat",
    "fittoday://group/invite/abc123#top", "https://fittoday.app/group/invite/abc123",
    "HTTPS://FitToday.App/group/invite/abc123", "https://fittoday.app/group/invite/abc123/?a=b/c",
  ])
  func `a link leads into a group`(text: String) {
    #expect(code(text)?.text == "abc123")
    #expect(URL(string: text).flatMap { DeepLink(url: $0) } == (try? DeepLink.parse(text)))
  }

  @Test(arguments: [
    ("", DeepLink.Failure.unknownScheme), ("fittoday", .unknownScheme),
    ("fittoday:group/invite/abc", .unknownScheme),
    ("http://fittoday.app/group/invite/abc", .unknownScheme),
    ("other://group/invite/abc", .unknownScheme), (" fittoday://group/invite/abc", .unknownScheme),
    ("https://fittoday.app.example.org/group/invite/abc", .unknownHost),
    ("https://fittoday.app:443/group/invite/abc", .unknownHost),
    ("https://ana@fittoday.app/group/invite/abc", .unknownHost),
    ("https://group/invite/abc", .unknownHost), ("https://", .unknownHost),
    ("fittoday://", .unknownPath), ("fittoday://fittoday.app/group/invite/abc", .unknownPath),
    ("https://fittoday.app", .unknownPath),
    ("https://fittoday.app//group/invite/abc", .unknownPath),
    ("fittoday://group/invite", .unknownPath), ("fittoday://group/join/abc", .unknownPath),
    ("fittoday://group/Invite/abc", .unknownPath), ("fittoday://group/invite/", .invalidCode),
    ("fittoday://group/invite/a/b", .invalidCode), ("fittoday://group/invite/abc//", .invalidCode),
    ("fittoday://group/invite/a%62c", .invalidCode), ("fittoday://group/invite/äbc", .invalidCode),
    ("fittoday://group/invite/" + String(repeating: "a", count: 65), .invalidCode),
    ("fittoday://group/invite/" + String(repeating: "a", count: 2_048), .tooLong),
  ])
  func `any other link says why it leads nowhere`(text: String, failure: DeepLink.Failure) {
    #expect(throws: failure) { try DeepLink.parse(text) }
  }

  @Test func `what is built is read as what it was built from`() throws {
    var dice = Dice()
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
    for _ in 0..<2_000 {
      let length = Int.random(in: 1...InviteCode.longest, using: &dice)
      let text = String((0..<length).map { _ in letters.randomElement(using: &dice) ?? "a" })
      let link = DeepLink(to: .groupInvite(try #require(InviteCode(text))))
      #expect(try DeepLink.parse(link.text) == link, "\(dice)")
      #expect(try DeepLink.parse(link.universalText) == link, "\(dice)")
      #expect(DeepLink(url: try #require(link.url)) == link, "\(dice)")
      #expect(DeepLink(url: try #require(link.universalURL)) == link, "\(dice)")
    }
  }

  @Test func `a damaged link is none or one that can be built, and nothing worse`() throws {
    var dice = Dice()
    let texts = [
      "fittoday://group/invite/abc123", "https://fittoday.app/group/invite/9f8e7d6c?x=y#z",
    ]
    var links = 0
    for _ in 0..<50_000 {
      let bytes = dice.damaged(Array((texts.randomElement(using: &dice) ?? "").utf8))
      guard let link = try? DeepLink.parse(String(decoding: bytes, as: UTF8.self)) else { continue }
      links += 1
      #expect(try DeepLink.parse(link.text) == link, "\(dice)")
    }
    #expect(links > 1_000)
  }

  @Test func `what the site serves names the apps and the path`() throws {
    let body = try AppSiteAssociation.body(appIDs: ["TEAM123456.app.fittoday"])
    #expect(
      String(decoding: body, as: UTF8.self) == """
        {"applinks":{"details":[{"appIDs":["TEAM123456.app.fittoday"],"components":\
        [{"/":"/group/invite/*","comment":"An invite into a group."}]}]}}
        """)
  }

  @Test func `an invite leads to signing in, to a look at the group, or right into it`() throws {
    let code = try #require(InviteCode("abc123"))
    var user = EntityTests.user
    func step(_ user: SocialUser?, _ hasSignedInForIt: Bool) -> InviteStep {
      InviteStep.next(for: code, user: user, hasSignedInForIt: hasSignedInForIt)
    }
    #expect(step(nil, false) == .signIn(code))
    #expect(step(nil, true) == .signIn(code))
    // A user who is in a group must see that first.
    #expect(step(user, true) == .showPreview(code))
    user.currentGroupId = nil
    #expect(step(user, false) == .showPreview(code))
    #expect(step(user, true) == .join(code))
  }
}
