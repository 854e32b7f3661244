/// How long to wait before the next try: twice as long each time, and never the same for all phones.
public struct Backoff: Hashable, Sendable {
  /// Before the second try.
  public let first: Duration
  /// The longest pause.
  public let longest: Duration

  /// Pauses from a first one to a longest one.
  public init(first: Duration = .seconds(1), longest: Duration = .seconds(300)) {
    self.first = first
    self.longest = longest
  }

  /// The pause behind a number of failures in a row.
  ///
  /// - Parameter random: 0 to 1; the pause lies between half of what it grows to and all of it. When a
  ///   server comes back, the phones that lost it do not all call in one second.
  public func pause(after failures: Int, random: Double) -> Duration {
    var pause = first
    for _ in 1..<max(2, min(failures, 64)) where failures > 1 && pause < longest { pause *= 2 }
    return min(pause, longest) * (0.5 + min(max(random, 0), 1) / 2)
  }
}

/// Whether there is a network.
///
/// An app asks its system; tests say it themselves.
public protocol Connectivity: Sendable {
  /// The state now, then each change of it.
  func states() -> AsyncStream<Bool>
}

/// What a queue has of time and chance, so that tests can give it others.
public struct SyncTime: Sendable {
  /// Time that only goes forward, from wherever it began.
  public let now: @Sendable () -> Duration
  /// Waits.
  public let sleep: @Sendable (Duration) async throws -> Void
  /// A number from 0 to 1.
  public let random: @Sendable () -> Double

  /// Time and chance of a test's own.
  public init(
    now: @escaping @Sendable () -> Duration,
    sleep: @escaping @Sendable (Duration) async throws -> Void,
    random: @escaping @Sendable () -> Double
  ) {
    self.now = now
    self.sleep = sleep
    self.random = random
  }

  /// The system's.
  public static var system: SyncTime {
    let began = ContinuousClock.now
    return SyncTime(
      now: { ContinuousClock.now - began }, sleep: { try await Task.sleep(for: $0) },
      random: { .random(in: 0...1) })
  }
}
