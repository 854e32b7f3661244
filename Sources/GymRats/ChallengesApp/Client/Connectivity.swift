import Challenges

/// Whether there is a network.
///
/// An app gets it from the system; tests set it themselves.
public protocol Connectivity: Sendable {
  /// The state now, then each change of it.
  func states() -> AsyncStream<Bool>
}

/// The clock and the random numbers of a queue, which tests can replace.
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
