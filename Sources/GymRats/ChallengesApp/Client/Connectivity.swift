import Challenges

/// Reports whether the phone has a network connection.
///
/// An app gets the network state from the operating system. A test sets the network state itself.
public protocol Connectivity: Sendable {
  /// Returns a stream of the current state and each change to it.
  func states() -> AsyncStream<Bool>
}

/// The clock and the random number generator of a ``PendingSyncQueue``, which tests can replace.
public struct SyncTime: Sendable {
  /// Returns the time since an arbitrary reference point.
  ///
  /// The time never decreases.
  public let now: @Sendable () -> Duration
  /// Suspends the task for a duration.
  public let sleep: @Sendable (Duration) async throws -> Void
  /// Returns a random number from 0 to 1.
  public let random: @Sendable () -> Double

  /// Creates a clock and a random number generator for tests from the given functions.
  public init(
    now: @escaping @Sendable () -> Duration,
    sleep: @escaping @Sendable (Duration) async throws -> Void,
    random: @escaping @Sendable () -> Double
  ) {
    self.now = now
    self.sleep = sleep
    self.random = random
  }

  /// The operating system's clock and random number generator.
  public static var system: SyncTime {
    let began = ContinuousClock.now
    return SyncTime(
      now: { ContinuousClock.now - began }, sleep: { try await Task.sleep(for: $0) },
      random: { .random(in: 0...1) })
  }
}
