import Foundation
import Presence
import Testing

/// Tests places that a user can have visited, and places that are impossible.
@Suite struct PlausibilityTests {
  private static func claim(
    _ accuracy: Double = 10, at seconds: TimeInterval = 0, metres: Double = 0
  ) throws -> ClaimedPosition {
    try ClaimedPosition(
      coordinate: Sample.berlin.moved(by: metres, bearing: 70), accuracy: accuracy,
      at: Sample.at(seconds))
  }

  private static func doubt(
    _ claim: ClaimedPosition, after last: ClaimedPosition? = nil
  ) -> Plausibility.Doubt? {
    Plausibility.doubt(about: claim, at: Sample.instant, after: last)
  }

  @Test func `each threshold is where it is agreed to be`() throws {
    #expect(try Self.doubt(Self.claim(200)) == nil)
    #expect(try Self.doubt(Self.claim(200.1)) == .inaccurate)
    #expect(try Self.doubt(Self.claim(at: -120)) == nil)
    #expect(try Self.doubt(Self.claim(at: -120.1)) == .untimely)
    #expect(try Self.doubt(Self.claim(at: 120)) == nil)
    #expect(try Self.doubt(Self.claim(at: 120.1)) == .untimely)
    #expect(try Self.doubt(Self.claim(metres: 5_999), after: Self.claim(at: -60)) == nil)
    #expect(try Self.doubt(Self.claim(metres: 6_001), after: Self.claim(at: -60)) == .tooFast)
    // A stored claim can have any age, and may be newer than this claim.
    #expect(try Self.doubt(Self.claim(metres: 9_000_000), after: Self.claim(at: -100_000)) == nil)
    #expect(try Self.doubt(Self.claim(at: -60, metres: 6_001), after: Self.claim()) == .tooFast)
  }

  @Test func `the same place at the same instant is no doubt, another one is`() throws {
    #expect(try Self.doubt(Self.claim(), after: Self.claim()) == nil)
    #expect(try Self.doubt(Self.claim(metres: 1), after: Self.claim()) == .tooFast)
  }
}
