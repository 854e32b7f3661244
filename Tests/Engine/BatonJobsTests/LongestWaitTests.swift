import BatonJobs
import Testing

/// If PostgreSQL cannot store a wait, the program stops at its start, instead of failing in each
/// run.
struct LongestWaitTests {
  private struct Long: BatchJob {
    typealias Context = Void
    static let definition = Definition<Self>("long", timeout: .seconds(24 * 86_400))
    static func run(_ batch: [Run<Self>], in context: Void) async throws {}
  }

  private struct TooLong: BatchJob {
    typealias Context = Void
    static let definition = Definition<Self>("too-long", timeout: .seconds(30 * 86_400))
    static func run(_ batch: [Run<Self>], in context: Void) async throws {}
  }

  private struct TooShort: BatchJob {
    typealias Context = Void
    static let definition = Definition<Self>("too-short", timeout: .microseconds(900))
    static func run(_ batch: [Run<Self>], in context: Void) async throws {}
  }

  @Test func `a timeout that PostgreSQL cannot hold is refused`() async {
    _ = Long.definition
    await #expect(processExitsWith: .failure) { _ = TooLong.definition }
    // PostgreSQL would treat zero milliseconds as no timeout.
    await #expect(processExitsWith: .failure) { _ = TooShort.definition }
  }

  @Test func `a wait of more than ten years is refused, or a snooze shortened`() async {
    await #expect(processExitsWith: .failure) {
      _ = Debounce.perKey(quiet: .zero, atMost: .seconds(Int64.max))
    }
    await #expect(processExitsWith: .failure) { _ = Debounce.perKey(every: .seconds(Int64.max)) }
    await #expect(processExitsWith: .failure) {
      _ = Retry.attempts(3, exponentialFrom: .seconds(1), to: .seconds(Int64.max))
    }
    #expect(Retry.usual.capped(at: .microseconds(1)).attempts == 1_000_000_000)
    #expect(Snooze(for: .seconds(Int64.max)).wait == .seconds(3_653 * 86_400))
  }

  /// A job may compute the wait from a time that has passed, such as that of an HTTP header.
  @Test func `a wait below zero counts as zero`() {
    #expect(Snooze(for: .seconds(-5)).wait == .zero)
    #expect(RetryAfter(.seconds(-5)).wait == .zero)
    #expect(RetryAfter(.seconds(Int64.min)).wait == .zero)
  }
}
