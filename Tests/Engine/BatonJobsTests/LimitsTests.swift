import Testing

@testable import BatonJobs

@Suite struct LimitsTests {
  @Test func `limits are described as text`() {
    #expect("\(Limits([], of: "x"))" == "none")
    #expect(
      "\(Limits([.concurrency(50), .concurrency(2, per: .payload("tenant"))], of: "x"))"
        == "50 concurrent runs, 2 concurrent runs of each tenant")
    #expect(
      "\(Limits([.concurrency(1, per: .key(part: 2, separator: "/")), .perSecond(10, burst: 5)], of: "x"))"
        == "1 concurrent run of each part 2 of the key between '/', "
        + "a start every 0.1 seconds with burst 5")
    #expect(
      "\(Limits([.perSecond(5, burst: 10, per: .payload("tenant"))], of: "x"))"
        == "a start of each tenant every 0.2 seconds with burst 10")
  }

  @Test func `a rate that is no whole number of microseconds is never exceeded`() {
    #expect(Limits([.perSecond(3)], of: "x").rate?.interval == .microseconds(333_334))
    #expect(Limits([.perMinute(7)], of: "x").rate?.interval == .microseconds(8_571_429))
    #expect(Limits([.perHour(60)], of: "x").rate?.interval == .seconds(60))
  }
}
