import Foundation

/// How much the tests do: what fits between two commits, or everything there is.
public enum TestSize {
  /// Whether `make test-all` asks.
  public static let isFull = ProcessInfo.processInfo.environment["BATON_TEST_ALL"] == "1"
}
